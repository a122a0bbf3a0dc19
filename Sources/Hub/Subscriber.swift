/// One client that wants to hear of changes: what it listens to, and what it has not been told yet.
///
/// What waits is one mark per parameter, never a queue: a slow client misses values in between, not the last one.
public final class Subscriber {
    private var listening: [Bool]
    private var pending: [Bool]
    private var order: [Int] = []
    /// Called when something begins to wait; the owner then asks its socket to be writable.
    private let wake: () -> Void

    init(slots: Int, wake: @escaping () -> Void) {
        listening = .init(repeating: false, count: slots)
        pending = listening
        self.wake = wake
    }

    /// Begins to listen to a slot; its present value is sent at once.
    func listen(_ slot: Int) {
        listening[slot] = true
        mark(slot)
    }

    /// Ends to listen to a slot; what waits of it is forgotten.
    public func ignore(_ slot: Int) {
        listening[slot] = false
        pending[slot] = false
    }

    func mark(_ slot: Int) {
        guard listening[slot], !pending[slot] else { return }
        pending[slot] = true
        let first = order.isEmpty
        order.append(slot)
        if first { wake() }
    }

    /// The client knows the value of this slot already: it has just sent it.
    func unmark(_ slot: Int) { pending[slot] = false }

    /// True when there is a value that the client has not been told.
    public var hasPending: Bool { order.contains { pending[$0] } }

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
                pending[slot] = false
            }
            done += 1
        }
        order.removeFirst(done)
    }
}
