internal import Parameters

/// Paths that a subscriber listens to or ignores; they decide about parameters that are inserted later.
struct SubscribedPaths {
    /// The latest last.
    private var paths: [(path: String, isListening: Bool)] = []
    private static let capacity = 256

    /// Notes whether everything at or below `path` is wanted.
    mutating func note(_ path: String, isListening: Bool) {
        forget(path)
        if paths.count == Self.capacity { paths.removeFirst() }
        paths.append((path, isListening))
    }

    mutating func forget(_ path: String) { paths.removeAll { $0.path == path } }

    /// Whether a new parameter at `address` is wanted: the latest path above it decides.
    ///
    /// - Parameter mostListed: listeners with larger numbers are wanted by their own paths only.
    func wants(_ address: String, mostListed: Int) -> Bool {
        paths.last {
            address.hasPrefix($0.path.hasSuffix("/") ? $0.path : $0.path + "/")
                && ParameterTree.lists(address, in: $0.path, mostListed: mostListed)
        }?.isListening ?? false
    }
}
