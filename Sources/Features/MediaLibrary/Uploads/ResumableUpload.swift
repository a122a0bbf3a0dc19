internal import FileOutput
internal import Files
internal import Foundation
internal import Trust
internal import Web

/// A file that clients send in parts, and whose parts survive the end of the program: in a hidden file beside its place, with a
/// description beside that.
struct ResumableUpload: Codable, Sendable {
    /// 32 hexadecimal digits.
    let id: String
    /// Name of the kind of files.
    let kind: String
    let name: String
    /// Bytes of the whole file.
    let length: Int
    /// SHA-256 of the whole file, 64 hexadecimal digits; nil when the client has not sent it.
    let sha256: String?
    /// Whether a file of this name is replaced.
    let replaces: Bool
    /// Seconds since 1970.
    let begun: Double
    /// The `Upload-Metadata` header; nil for uploads of earlier versions.
    var metadata: String?

    /// Seconds without a part after which an incomplete upload is removed.
    private static let longest = 2 * 24 * 3600.0
    /// Seconds from now on within which a start counts as one of this run. A later start is one of an earlier run, from before the clock
    /// was set back.
    private static let future = 60.0
    private static let stem = ".upload-"

    /// - Parameter latest: time of the latest part, seconds since 1970.
    static func end(_ latest: Double) -> Double { latest + longest }

    func partial(_ kind: AcceptedFiles) -> String { "\(kind.folder)/\(Self.stem)\(id).part" }

    func description(_ kind: AcceptedFiles) -> String { "\(kind.folder)/\(Self.stem)\(id).json" }

    /// Makes the incomplete file and its description.
    func begin(_ kind: AcceptedFiles) throws {
        try FileManager.default.createDirectory(atPath: kind.folder, withIntermediateDirectories: true)
        _ = try PartialFile(creating: partial(kind))
        try OutputFile.write([UInt8](try JSONEncoder.wire.encode(self)), to: description(kind), isSynced: true)
    }

    func remove(_ kind: AcceptedFiles) {
        PartialFile.remove(partial(kind))
        PartialFile.remove(description(kind))
    }

    /// The incomplete uploads that were begun before the time `now`, with their received bytes and the time of the latest part. Uploads
    /// that are too old are removed, and completely received ones are stored. A clock that was set back makes no upload too old.
    static func kept(_ kinds: [AcceptedFiles], now: Double) -> [(upload: ResumableUpload, offset: Int, latest: Double)] {
        kinds.flatMap { kind in
            let names = FilePlace.names(in: kind.folder).filter { $0.hasPrefix(stem) && $0.hasSuffix(".json") }
            return names.compactMap { name -> (ResumableUpload, Int, Double)? in
                // Kinds share folders.
                guard let text = try? RegularFile(kind.folder + "/" + name, followsLinks: false).text(atMost: 65_536),
                    let upload = try? JSONDecoder().decode(ResumableUpload.self, from: Data(text.utf8)),
                    upload.begun < now || upload.begun > now + future, upload.kind == kind.name, upload.id.allSatisfy({ $0.isHexDigit }),
                    kind.problem(upload.name) == nil
                else { return nil }
                let file = try? PartialFile(upload.partial(kind))
                let latest = min(now, max(upload.begun, file?.changed ?? 0))
                guard end(latest) > now, let file, file.length <= upload.length else {
                    upload.remove(kind)
                    return nil
                }
                // The program ended before it was checked.
                if file.length == upload.length, (try? upload.finish(kind, file)) != nil { return nil }
                return (upload, file.length, latest)
            }
        }
    }
}

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

/// The outcomes of the latest resumable uploads that have ended, for clients whose connection was lost before the answer.
struct EndedUploads {
    enum Outcome {
        /// The file is stored: its length in bytes.
        case stored(length: Int)
        case refused(status: Int, reason: String)
    }

    private static let most = 256

    /// The oldest one is first.
    private var outcomes: [(id: String, outcome: Outcome)] = []

    mutating func note(_ id: String, _ outcome: Outcome) { outcomes = outcomes.suffix(Self.most - 1) + [(id, outcome)] }

    /// The answer to a client that asks for the offset of an upload that has ended, or sends an empty part at its end; nil for an unknown
    /// upload, and for other requests.
    /// - Parameter offset: of the part, as the client wrote it.
    func answer(_ id: String, _ method: Request.Method, offset: String?) -> Response? {
        guard [.head, .get, .patch].contains(method), let known = outcomes.last(where: { $0.id == id }) else { return nil }
        switch known.outcome {
        case .stored(let length) where method == .patch:
            guard offset.flatMap(RequestForm.number) == length else { return nil }
            var response = Response.empty(204)
            response.headers = [("upload-offset:", "\(length)")]
            return response
        case .stored(let length):
            var response = Response.empty(200)
            response.headers = [("upload-offset:", "\(length)"), ("upload-length:", "\(length)"), ("cache-control:", "no-store")]
            return response
        case .refused(let status, let reason): return .text(status, reason)
        }
    }
}
