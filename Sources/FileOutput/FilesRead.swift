public import Glibc
internal import Synchronization

/// The files that this program has read, wherever their names came from: options, sessions, racks or clients.
///
/// An output that a person names never takes the place of one of them.
public enum FilesRead {
    /// A file, whatever its names.
    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t

        init(_ facts: stat) { (device, number) = (facts.st_dev, facts.st_ino) }
    }

    /// The path at which each was read last.
    private static let paths = Mutex<[Identity: String]>([:])

    /// Records a file that was opened for reading.
    public static func insert(_ facts: stat, path: String) {
        let file = Identity(facts)
        paths.withLock { $0[file] = path }
    }

    /// - Returns: the path at which a file was read; nil for one that was not.
    static func path(_ facts: stat) -> String? {
        let file = Identity(facts)
        guard let path = paths.withLock({ $0[file] }) else { return nil }
        // Where the file that was read is gone, its number may be that of another file.
        return FilePlace.facts(path).map(Identity.init) == file ? path : nil
    }
}
