import FileOutput
import Glibc

/// The folder `.trash` in a folder of the library, to which deleted files go.
struct LibraryTrash {
    let folder: String

    /// Moves a file, or a folder of mono files, to the trash. Where there is one of its name, a number is added.
    /// - Throws: `RequestError` when it cannot be moved.
    func take(_ name: String) throws {
        let trash = folder + "/.trash"
        mkdir(trash, 0o777)
        for attempt in 1...1000 {
            let place = trash + "/" + name + (attempt == 1 ? "" : "~\(attempt)")
            guard access(place, F_OK) != 0 else { continue }
            guard rename(folder + "/" + name, place) == 0 else {
                throw RequestError("\(name) cannot be moved to \(trash): \(String(cString: strerror(errno)))")
            }
            return
        }
        throw RequestError("there are 1000 files \(name) in \(trash) already; empty it")
    }
}
