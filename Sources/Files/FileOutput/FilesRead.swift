public import Glibc
internal import Synchronization

/// The files that this program has read, wherever their names came from: options, sessions, racks or clients.
///
/// An output that a person names never takes the place of one of them.
public enum FilesRead {
    /// A file, regardless of its names.
    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t

        init(_ facts: stat) { (device, number) = (facts.st_dev, facts.st_ino) }
    }

    private struct Records {
        /// The path at which each was read last.
        var paths: [Identity: String] = [:]
        /// Number of paths above which the files that no longer exist are dropped.
        var most = FilesRead.fewest
    }

    /// Number of paths that are kept without checking whether their files still exist.
    static let fewest = 1000

    private static let records = Mutex(Records())

    /// Records a file that was opened for reading.
    public static func insert(_ facts: stat, path: String) {
        let file = Identity(facts)
        let crowd = records.withLock { records -> [Identity: String]? in
            records.paths[file] = path
            guard records.paths.count > records.most else { return nil }
            // Keeps other threads from dropping files as well.
            records.most = .max
            return records.paths
        }
        if let crowd { drop(crowd.filter { !isThere($0, at: $1) }) }
    }

    /// Drops files that are gone, except those that were read at another path meanwhile.
    private static func drop(_ gone: [Identity: String]) {
        records.withLock { records in
            for (file, path) in gone where records.paths[file] == path { records.paths[file] = nil }
            records.most = max(fewest, 2 * records.paths.count)
        }
    }

    private static func isThere(_ file: Identity, at path: String) -> Bool { FilePlace.facts(path).map(Identity.init) == file }

    /// Number of files that are recorded.
    static var count: Int { records.withLock { $0.paths.count } }

    /// - Returns: the path at which a file was read; nil for one that was not.
    static func path(_ facts: stat) -> String? {
        let file = Identity(facts)
        guard let path = records.withLock({ $0.paths[file] }) else { return nil }
        // If the file that was read is gone, its number may be that of another file.
        return isThere(file, at: path) ? path : nil
    }
}
