internal import FileOutput
internal import Files
internal import Trust

extension ResumableUpload {
    /// The end of a whole file.
    enum Ending: Sendable {
        case stored
        /// The file was refused and is removed: a status of HTTP, and the reason.
        case refused(Int, String)
    }

    /// Checks a completely received file, and gives it its name. May take long.
    /// - Throws: `OutputError` or `FileError` when the disk fails; the upload stays.
    func finish(_ kind: AcceptedFiles, _ file: PartialFile) throws -> Ending {
        func refuse(_ status: Int, _ reason: String) -> Ending {
            remove(kind)
            return .refused(status, reason)
        }
        if let wanted = sha256 {
            let found = try FileDigest.sha256(RegularFile(file.path))
            guard found == wanted else {
                return refuse(460, "\(name) is not stored: its SHA-256 is \(found), not \(wanted); send it again")
            }
        }
        let place = kind.folder + "/" + name
        do { try kind.check(file.path) } catch { return refuse(422, "\(error)".replacing(file.path, with: name)) }
        guard !FilePlace.isLink(place) else {
            return refuse(409, "\(name) is not stored: a symbolic link has this name already; choose another one")
        }
        do throws(OutputError) { try file.finish(as: place, replaces: replaces) } catch {
            guard error.kind == .exists else { throw error }
            return refuse(409, "\(name) is not stored: there is a file with this name; \"replace\" replaces it")
        }
        PartialFile.remove(description(kind))
        return .stored
    }
}
