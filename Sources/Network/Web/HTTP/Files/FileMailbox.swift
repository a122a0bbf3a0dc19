internal import Synchronization

/// Results on their way from the threads that open and read files to the control thread.
final class FileMailbox: Sendable {
    private let made = Mutex<[Int: Response]>([:])
    private let hasBytes = Atomic(false)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: wakes the control thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Delivers the answer to a request by its number.
    func put(_ response: Response, for number: Int) {
        made.withLock { $0[number] = response }
        wake()
    }

    /// Notes that a file has more bytes to send.
    func noteBytes() {
        hasBytes.store(true, ordering: .releasing)
        wake()
    }

    func takeAnswers() -> [Int: Response] {
        made.withLock { made in
            defer { made = [:] }
            return made
        }
    }

    /// Whether any file has had more bytes since the last call.
    func takeNews() -> Bool { hasBytes.exchange(false, ordering: .acquiringAndReleasing) }
}
