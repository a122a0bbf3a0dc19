import Binaural
import FileOutput
import Media

/// A request to fetch a file that the followed engine uses and that is not here.
struct MediaFetch: Equatable, Sendable {
    let file: MediaName
    let media: FollowedMedia
    /// Absolute path of the destination.
    let path: String
    let space: LibrarySpace
    /// Check and maximum size of the file, as for files that clients send.
    let accepted: AcceptedFiles

    /// Maximum size of a recording's sidecar in bytes.
    private static let largestSidecar = 1 << 20
    /// Bytes that stay free on the disk.
    private static let spare: Int64 = 256 << 20

    static func == (one: Self, other: Self) -> Bool {
        (one.file, one.media, one.path) == (other.file, other.media, other.path)
    }

    /// Fetches the file, and the sidecar of a recording if there is one. Existing files are not replaced. A partial download is kept when
    /// it is abandoned, and continued later.
    ///
    /// - Parameter progress: called with the share that is done; returns whether to continue.
    /// - Returns: bytes of the file, 0 for one that was there already; nil when `progress` returned false.
    /// - Throws: `MediaError` when it cannot be fetched, is not of its kind or has no room.
    func run(_ progress: @escaping @Sendable (Double) -> Bool) throws(MediaError) -> Int64? {
        guard !FilePlace.isTaken(path) else { return 0 }
        var isStored = false
        defer { space.end("fetch \(path)", isStored: isStored) }
        do {
            let isRecording = file.kind == .recordings && accepted.name == file.kind.rawValue
            let sidecar = isRecording ? try describe { progress(0) } : nil
            guard let remote = try RemoteFile.open(media.address(of: file), media, isWanted: { progress(0) }) else {
                throw MediaError("\(media.address(of: file)): there is nothing at this address (404)")
            }
            var part = try FetchedFile(path, size: try size(of: remote))
            guard try part.fill(from: remote, progress) else { return nil }
            do {
                try accepted.check(part.path)
                try place(sidecar, part)
            } catch {
                part.remove()
                throw error
            }
            isStored = true
            return part.size
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError("\(error)")
        }
    }

    /// - Throws: `MediaError` when the size is unknown, or there is no room.
    private func size(of remote: RemoteFile) throws(MediaError) -> Int64 {
        guard let size = remote.size else { throw MediaError("\(media.address(of: file)): the server does not state the size of the file") }
        guard size <= accepted.most else {
            throw MediaError(
                "\(file.name) has \(size >> 20) MiB; a file of this kind that is fetched has at most \(accepted.most >> 20) MiB")
        }
        if let free = FreeSpace.bytes(in: FilePlace.folder(of: path)), size > free - Self.spare {
            throw MediaError("\(file.name) has \(size >> 20) MiB, and the disk has \(max(0, free) >> 20) MiB; free some space")
        }
        guard space.promise(size, to: "fetch \(path)") == true else {
            throw MediaError("\(file.name) would exceed the library's limit (--library-limit); delete files, and empty the trash, first")
        }
        return size
    }

    /// Stores the sidecar and then the file at their destinations.
    private func place(_ sidecar: [UInt8]?, _ file: FetchedFile) throws {
        let place = SceneDescription.sidecar(of: path)
        let isNew = sidecar != nil && !FilePlace.isTaken(place)
        if let sidecar, isNew {
            try OutputFile.write(sidecar, to: place)
            do { try MicrophoneArray.check(sidecar: place) } catch {
                PartialFile.remove(place)
                throw error
            }
        }
        do { try file.finish() } catch {
            if isNew { PartialFile.remove(place) }
            throw error
        }
    }

    /// Contents of the recording's sidecar; nil for none, as for many recordings.
    private func describe(isWanted: @escaping @Sendable () -> Bool) throws(MediaError) -> [UInt8]? {
        let sidecar = MediaName(kind: file.kind, name: ClientFiles.sidecar(of: file.name))
        guard let remote = try RemoteFile.open(media.address(of: sidecar), media, isWanted: isWanted) else { return nil }
        var text: [UInt8] = []
        while true {
            let bytes = try remote.read()
            guard !bytes.isEmpty else { return text }
            text += bytes
            guard text.count <= Self.largestSidecar else { throw MediaError("the description of \(file.name) has more than 1 MiB") }
        }
    }
}

extension RemoteFile {
    /// - Returns: nil when there is nothing at the address.
    fileprivate static func open(
        _ address: String, _ media: FollowedMedia, isWanted: @escaping @Sendable () -> Bool
    ) throws(MediaError) -> RemoteFile? {
        try RemoteFile(address, token: media.token, authority: media.authority, isWanted: isWanted)
    }
}
