import CRealtime
import FileOutput
import Foundation
import Media

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
