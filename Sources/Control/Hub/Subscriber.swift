internal import Parameters

/// One client's subscriptions: the parameters it listens to, and those whose values it has not been sent yet.
///
/// Each parameter is pending at most once, and there is no queue of values: a slow client misses intermediate values, never
/// the last one.
public final class Subscriber {
    /// State of one parameter in one byte: there may be many thousands of parameters, and many clients.
    private struct Marks: OptionSet {
        let rawValue: UInt8
        static let listening = Marks(rawValue: 1)
        static let pending = Marks(rawValue: 2)
        /// Whether the index is in `order`.
        static let queued = Marks(rawValue: 4)
    }

    /// By index.
    private var marks: [Marks] = []
    /// Number of pending parameters.
    private var waiting = 0
    /// Indices in the order in which they changed; some may not be pending any more.
    private var order: [Int] = []
    private var paths = SubscribedPaths()
    /// Listeners with larger numbers are wanted by their own paths only.
    private let mostListed: Int
    /// Address of the client, for the log; nil where its messages carry it, and for parts of the program.
    public var address: NetworkAddress?
    /// Whether the owner reports refused messages to the client itself, so that the hub publishes no notices about them.
    public var reportsRefusals = false
    /// Called when the first value becomes pending; the owner then requests its socket's writable callback.
    private let wake: () -> Void
    /// Receives the reply to a message that had to wait, if it has a text.
    public var onReply: (Reply) -> Void = { _ in }

    init(mostListed: Int = .max, wake: @escaping () -> Void) {
        self.mostListed = mostListed
        self.wake = wake
    }

    private func makeRoom(_ index: Int) {
        guard index >= marks.count else { return }
        marks += [Marks](repeating: [], count: index + 64 - marks.count)
    }

    /// Notes whether everything at or below `path` is wanted.
    func note(_ path: String, isListening: Bool) { paths.note(path, isListening: isListening) }

    /// Removes a path, subscribed to or excluded.
    func forget(_ path: String) { paths.forget(path) }

    /// Whether a new parameter at `address` is wanted.
    func wants(_ address: String) -> Bool { paths.wants(address, mostListed: mostListed) }

    /// Starts listening to a parameter; its current value becomes pending at once.
    public func listen(_ index: Int) {
        makeRoom(index)
        marks[index].insert(.listening)
        mark(index)
    }

    /// Stops listening to a parameter; a pending value is dropped.
    public func ignore(_ index: Int) {
        guard index < marks.count else { return }
        marks[index].remove(.listening)
        unmark(index)
    }

    func mark(_ index: Int) {
        guard index < marks.count, marks[index].contains(.listening), !marks[index].contains(.pending) else { return }
        if !marks[index].contains(.queued) { order.append(index) }
        marks[index].formUnion([.pending, .queued])
        waiting += 1
        if waiting == 1 { wake() }
    }

    /// Notes that the client has the value of this parameter.
    func unmark(_ index: Int) {
        guard index < marks.count, marks[index].contains(.pending) else { return }
        marks[index].remove(.pending)
        waiting -= 1
    }

    /// True when there are values that the client has not been sent.
    public var hasPending: Bool { waiting > 0 }

    /// Returns the parameters whose values have to be sent now, in the order in which they changed.
    public func takePending() -> [Int] {
        var taken: [Int] = []
        drainPending { index in
            taken.append(index)
            return true
        }
        return taken
    }

    /// As ``takePending()``, one by one, until `body` returns false: that parameter and those after it remain pending.
    public func drainPending(_ body: (Int) -> Bool) {
        var done = 0
        for index in order {
            if marks[index].contains(.pending) {
                guard body(index) else { break }
                unmark(index)
            }
            marks[index].remove(.queued)
            done += 1
        }
        order.removeFirst(done)
    }
}

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
