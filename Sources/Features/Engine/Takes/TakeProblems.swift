import Synchronization

/// Messages of background work for the log.
final class TakeProblems: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ more: [String]) { texts.withLock { $0 += more } }

    func take() -> [String] {
        texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}
