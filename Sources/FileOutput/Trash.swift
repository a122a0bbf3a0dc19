internal import Glibc

/// The folder `.trash` in a folder, to which what is deleted goes.
public struct Trash: Sendable {
    public let folder: String

    public init(of folder: String) { self.folder = folder }

    private var path: String { folder + "/.trash" }

    /// Moves a file or a folder to the trash. Where there is one of its name, a number is added.
    /// - Parameter name: in the folder.
    public func take(_ name: String) throws(OutputError) {
        mkdir(path, 0o777)
        for attempt in 1...1000 {
            let place = path + "/" + name + (attempt == 1 ? "" : "~\(attempt)")
            guard access(place, F_OK) != 0 else { continue }
            guard rename(folder + "/" + name, place) == 0 else { throw OutputError(place, errno: errno) }
            AboutFiles.follow(folder + "/" + name, to: place)
            return
        }
        throw OutputError(path + "/" + name, .exists, "there are 1000 of this name in the trash already; empty it")
    }

    /// Bytes of the files in it.
    public var size: Int64 { Self.size(path) }

    private static func size(_ path: String) -> Int64 {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return 0 }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return Int64(facts.st_size) }
        return FilePlace.names(in: path).reduce(0) { $0 + size(path + "/" + $1) }
    }

    /// Removes everything in it, for good.
    public func empty() throws(OutputError) {
        // A symbolic link in its place leads to files that are none of it.
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
