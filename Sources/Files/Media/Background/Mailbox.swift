internal import Synchronization

/// A place in which one thread leaves the newest value for another; not for the audio thread.
public final class Mailbox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    public init() {}

    public func put(_ new: Value) { value.withLock { $0 = new } }

    /// - Returns: nil when there is no new value since the last call.
    public func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
