internal import Synchronization

/// Text messages of other threads, on their way to the control thread.
public final class ReportQueue: Sendable {
    private let waiting = Mutex<[String]>([])
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    public init() {}

    /// Calls `body`, on the reporting thread, whenever a message was added, and at once when messages are waiting.
    public func onReport(_ body: @escaping @Sendable () -> Void) {
        wake.withLock { $0 = body }
        if waiting.withLock({ !$0.isEmpty }) { body() }
    }

    public func add(_ text: String) {
        waiting.withLock { $0.append(text) }
        wake.withLock { $0 }?()
    }

    /// Returns all messages since the last call, oldest first.
    public func take() -> [String] {
        waiting.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}
