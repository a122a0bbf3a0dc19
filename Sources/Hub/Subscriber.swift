/// One client that wants to hear of changes: what it listens to, and what it has not been told yet.
///
/// What waits is one mark per parameter, never a queue: a slow client misses values in between, not the last one.
public final class Subscriber {
    private var listening: [Bool] = []
    private var pending: [Bool] = []
    /// How many slots are pending.
    private var waiting = 0
    /// Slots in the order in which they changed; of some, nothing waits any more.
    private var order: [Int] = []
    /// Whether a slot stands in `order`.
    private var isQueued: [Bool] = []
    /// What was listened to or ignored, the latest last: for parameters that come later.
    private var paths: [(path: String, isListening: Bool)] = []
    private static let mostPaths = 256
    /// Called when something begins to wait; the owner then asks its socket to be writable.
    private let wake: () -> Void

    init(wake: @escaping () -> Void) { self.wake = wake }

    private func makeRoom(_ slot: Int) {
        guard slot >= listening.count else { return }
        let more = [Bool](repeating: false, count: slot + 64 - listening.count)
        listening += more
        pending += more
        isQueued += more
    }

    /// Remembers that everything at or below `path` is wanted, or is not.
    func note(_ path: String, isListening: Bool) {
        paths.removeAll { $0.path == path }
        if paths.count == Self.mostPaths { paths.removeFirst() }
        paths.append((path, isListening))
    }

    /// A path is neither wanted nor unwanted any more.
    func forget(_ path: String) { paths.removeAll { $0.path == path } }

    /// Whether something that has just come to `address` was asked for.
    func wants(_ address: String) -> Bool {
        paths.last { address.hasPrefix($0.path.hasSuffix("/") ? $0.path : $0.path + "/") }?.isListening ?? false
    }

    /// Begins to listen to a slot; its present value is sent at once.
    public func listen(_ slot: Int) {
        makeRoom(slot)
        listening[slot] = true
        mark(slot)
    }

    /// Ends to listen to a slot; what waits of it is forgotten.
    public func ignore(_ slot: Int) {
        makeRoom(slot)
        listening[slot] = false
        unmark(slot)
    }

    func mark(_ slot: Int) {
        guard slot < listening.count, listening[slot], !pending[slot] else { return }
        pending[slot] = true
        if !isQueued[slot] {
            isQueued[slot] = true
            order.append(slot)
        }
        waiting += 1
        if waiting == 1 { wake() }
    }

    /// The client knows the value of this slot already: it has just sent it.
    func unmark(_ slot: Int) {
        guard slot < pending.count, pending[slot] else { return }
        pending[slot] = false
        waiting -= 1
    }

    /// True when there is a value that the client has not been told.
    public var hasPending: Bool { waiting > 0 }

    /// The slots whose values the client has to be told now, in the order in which they changed.
    public func takePending() -> [Int] {
        var taken: [Int] = []
        drainPending { slot in
            taken.append(slot)
            return true
        }
        return taken
    }

    /// As ``takePending()``, one by one, until `body` returns false: that slot and those after it go on waiting.
    public func drainPending(_ body: (Int) -> Bool) {
        var done = 0
        for slot in order {
            if pending[slot] {
                guard body(slot) else { break }
                unmark(slot)
            }
            isQueued[slot] = false
            done += 1
        }
        order.removeFirst(done)
    }
}
