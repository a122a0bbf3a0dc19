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
}
