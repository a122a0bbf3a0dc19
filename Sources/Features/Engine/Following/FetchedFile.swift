import CRealtime
import FileOutput
import Foundation
import Media

/// A file that is being fetched: a hidden one beside its place, which is continued when an earlier attempt has left a part of it.
struct FetchedFile {
    /// Seconds after which parts of other files are removed.
    private static let longest: TimeInterval = 2 * 24 * 3600
    /// Bytes at the end of a part that are fetched again and compared.
    private static let overlap = 65_536
    private static let ending = ".fetch"
    /// Bytes per second below which a server is given up after the seconds of patience: other files wait.
    private static let slowest = 1000.0
    private static let patience = 60.0

    let path: String
    let size: Int64
    private let place: String
    private let file: PartialFile

    /// - Parameters:
    ///   - place: absolute path at which the recording is to be.
    ///   - size: bytes of all of it. A part with another size belongs to another file.
    init(_ place: String, size: Int64) throws {
        (self.place, self.size) = (place, size)
        let folder = FilePlace.folder(of: place)
        path = "\(folder)/.\(FilePlace.name(of: place)).\(size)\(Self.ending)"
        Self.tidy(folder, except: FilePlace.name(of: path))
        file = FilePlace.isTaken(path) ? try PartialFile(path) : try PartialFile(creating: path)
    }

    /// Removes what other attempts have left.
    private static func tidy(_ folder: String, except own: String) {
        let old = Date(timeIntervalSinceNow: -longest)
        for name in FilePlace.names(in: folder) where name.hasPrefix(".") && name.hasSuffix(ending) && name != own {
            let path = folder + "/" + name
            let changed = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if changed ?? .distantPast < old { PartialFile.remove(path) }
        }
    }

    /// Fetches the missing part.
    /// - Returns: false when `progress` returned false; the part stays.
    mutating func fill(from remote: RemoteFile, _ progress: (Double) -> Bool) throws -> Bool {
        var done = try resume(remote)
        let (begin, first) = (rt_now(), done)
        while done < size {
            let bytes = try remote.read()
            let seconds = Double(rt_now() - begin) / 1e9
            guard seconds < Self.patience || Double(done - first) > seconds * Self.slowest else {
                throw MediaError("\(remote.address): it comes with less than \(Int(clamping: Self.slowest)) bytes a second")
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

    /// Moves to the end of the existing part if it belongs to this file; otherwise to the beginning.
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

    /// Gives the recording its name.
    func finish() throws { try file.finish(as: place, replaces: false) }

    func remove() { PartialFile.remove(path) }
}
