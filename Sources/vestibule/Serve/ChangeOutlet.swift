import Crossing

/// The control thread's way to tell the renderer what is to change at a time to come.
final class ChangeOutlet {
    private var changes: Ring<TimedChange>.Producer

    init(_ changes: consuming Ring<TimedChange>.Producer) { self.changes = changes }

    /// - Returns: false when too much waits already.
    func send(_ change: TimedChange) -> Bool { changes.push(change) }
}
