import Synchronization

/// What other threads have to say in words, on its way to the control thread.
final class Reports: Sendable {
    private let waiting = Mutex<[String]>([])
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    /// Told when something waits.
    func onReport(_ body: @escaping @Sendable () -> Void) { wake.withLock { $0 = body } }

    func add(_ text: String) {
        waiting.withLock { $0.append(text) }
        wake.withLock { $0 }?()
    }

    /// Everything since the last call, oldest first.
    func take() -> [String] {
        waiting.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}
