import Crossing
import RenderInterface

/// Sends the renderer changes that are due at a later time.
final class TimedChangeSender {
    private var changes: Ring<TimedChange>.Producer

    init(_ changes: consuming Ring<TimedChange>.Producer) { self.changes = changes }

    /// - Returns: false when the renderer has no room for another one.
    func send(_ change: TimedChange) -> Bool { changes.push(change) }
}
