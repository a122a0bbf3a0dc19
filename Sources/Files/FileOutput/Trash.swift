internal import Glibc

/// The folder `.trash` in a folder, to which deleted files are moved.
public struct Trash: Sendable {
    public let folder: String

    public init(of folder: String) { self.folder = FilePlace.equivalent(folder) }

    private var path: String { folder + "/.trash" }

    /// Moves a file or a folder to the trash. Where there is one of its name, a number is added.
    /// - Parameter name: in the folder.
    public func take(_ name: String) throws(OutputError) {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw OutputError(path, errno: errno) }
        let file = FilePlace.equivalent(folder + "/" + name)
        for attempt in 1...1000 {
            let place = FilePlace.equivalent(path + "/" + name + (attempt == 1 ? "" : "~\(attempt)"))
            guard access(place, F_OK) != 0 else { continue }
            guard rename(file, place) == 0 else { throw OutputError(moving: file, to: place, errno: errno) }
            AboutFiles.follow(file, to: place)
            return
        }
        throw OutputError(path + "/" + name, .exists, "there are 1000 files with this name in the trash already; empty it")
    }

    /// Bytes of the files in it.
    public var size: Int64 { FilePlace.size(path) }

    /// Removes everything in it, for good.
    public func empty() throws(OutputError) {
        // A symbolic link in place of the trash leads to files that were never deleted.
        guard FilePlace.isFolder(path) else { return }
        for name in FilePlace.names(in: path) { try Self.remove(path + "/" + name) }
    }

    private static func remove(_ path: String) throws(OutputError) {
        guard FilePlace.isFolder(path) else {
            guard unlink(path) == 0 || errno == ENOENT else { throw OutputError(path, errno: errno) }
            return
        }
        for name in FilePlace.names(in: path) { try remove(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else { throw OutputError(path, errno: errno) }
    }
}
