import Hub
import Session

/// A session that is to be loaded: its file is read, and then the listeners that it names are made, some in each tick.
final class SessionWork: PendingWork {
    private let work: FileWork
    private let path: String
    private let isReady: (Snapshot) -> Bool

    /// - Parameter isReady: makes some of the listeners of a session, and returns whether all are there.
    init(_ work: FileWork, _ path: String, isReady: @escaping (Snapshot) -> Bool) {
        (self.work, self.path, self.isReady) = (work, path, isReady)
    }

    var isDone: Bool {
        guard let files = work.product else { return false }
        guard case .success(.session(let session)) = files.results[.loadedSession(path)] else { return true }
        return isReady(session.snapshot)
    }

    var limit: UInt64 { work.limit }

    func use(_ handler: () -> Void) { work.use(handler) }

    func giveUp() { work.giveUp() }
}
