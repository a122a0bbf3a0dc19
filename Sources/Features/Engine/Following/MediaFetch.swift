import Binaural
import CRealtime
import FileOutput
import Foundation
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

/// A file that is being fetched: a hidden partial file beside its destination, which continues the part left by an earlier attempt.
struct FetchedFile {
    /// Age in seconds after which partial downloads of other files are removed.
    private static let longest: TimeInterval = 2 * 24 * 3600
    /// Bytes at the end of a partial download that are fetched again and compared.
    private static let overlap = 65_536
    private static let ending = ".fetch"
    /// Bytes per second below which a download is abandoned after ``patience`` seconds, because other files wait.
    private static let slowest = 1000.0
    private static let patience = 60.0

    let path: String
    let size: Int64
    private let place: String
    private let file: PartialFile

    /// - Parameters:
    ///   - place: absolute path of the complete file.
    ///   - size: bytes of the complete file. A partial download with another size belongs to another file.
    init(_ place: String, size: Int64) throws {
        (self.place, self.size) = (place, size)
        let folder = FilePlace.folder(of: place)
        path = "\(folder)/.\(FilePlace.name(of: place)).\(size)\(Self.ending)"
        Self.tidy(folder, except: FilePlace.name(of: path))
        file = FilePlace.isTaken(path) ? try PartialFile(path) : try PartialFile(creating: path)
    }

    /// Removes old partial downloads of other files.
    private static func tidy(_ folder: String, except own: String) {
        let old = Date(timeIntervalSinceNow: -longest)
        for name in FilePlace.names(in: folder) where name.hasPrefix(".") && name.hasSuffix(ending) && name != own {
            let path = folder + "/" + name
            let changed = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if changed ?? .distantPast < old { PartialFile.remove(path) }
        }
    }

    /// Fetches the missing part.
    /// - Returns: false when `progress` returned false; the partial download is kept.
    mutating func fill(from remote: RemoteFile, _ progress: (Double) -> Bool) throws -> Bool {
        var done = try resume(remote)
        let (begin, first) = (rt_now(), done)
        while done < size {
            let bytes = try remote.read()
            let seconds = Double(rt_now() - begin) / 1e9
            guard seconds < Self.patience || Double(done - first) > seconds * Self.slowest else {
                throw MediaError("\(remote.address): the server sends less than \(Int(clamping: Self.slowest)) bytes a second")
            }
            guard !bytes.isEmpty else { throw MediaError("\(remote.address): the file ended early") }
            try file.write(bytes)
            done += Int64(bytes.count)
            guard done <= size else {
                remove()
                throw MediaError("\(remote.address): the file is longer than its server announced")
            }
            guard progress(Double(done) / Double(size)) else { return false }
        }
        return true
    }

    /// Continues at the end of the existing part if that is possible; otherwise starts at the beginning.
    /// - Returns: bytes of the existing part.
    private func resume(_ remote: RemoteFile) throws -> Int64 {
        let there = file.length
        guard there > Self.overlap, there <= size, remote.seek(to: Int64(there - Self.overlap)) else {
            try file.cut(to: 0)
            return 0
        }
        var rest = try file.bytes(from: there - Self.overlap)
        var beyond: [UInt8] = []
        while !rest.isEmpty {
            let bytes = try remote.read()
            let common = min(bytes.count, rest.count)
            guard common > 0, bytes[..<common] == rest[..<common] else { throw try changed(remote) }
            rest.removeFirst(common)
            beyond = Array(bytes[common...])
        }
        try file.write(beyond)
        return Int64(there + beyond.count)
    }

    private func changed(_ remote: RemoteFile) throws -> MediaError {
        try file.cut(to: 0)
        return MediaError("\(remote.address): the file has changed since a part of it was fetched; the download restarts")
    }

    /// Moves the complete file to its destination.
    func finish() throws { try file.finish(as: place, replaces: false) }

    func remove() { PartialFile.remove(path) }
}
