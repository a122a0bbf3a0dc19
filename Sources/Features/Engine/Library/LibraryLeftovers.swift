import CRealtime
import FileOutput
import Glibc

/// Archives and pictures in hidden folders that clients have sent but not used. For threads that may wait.
struct LibraryLeftovers: Sendable {
    /// Seconds after which they are removed.
    private static let longest = 2 * 24 * 3600
    let folders: [String]

    /// Removes files that are too old.
    func tidy() {
        let now = time(nil)
        for folder in folders {
            for name in FilePlace.names(in: folder) where name != "." && name != ".." {
                var facts = stat()
                guard lstat(folder + "/" + name, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
                // Incomplete uploads, whose names begin with a dot, are removed by the part of the program that receives them.
                if now - facts.st_mtim.tv_sec > Self.longest, !name.hasPrefix(".") { PartialFile.remove(folder + "/" + name) }
            }
        }
    }
}
