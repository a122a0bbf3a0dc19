import Hub
import Media
import Parameters
import Session
import Threads

/// The names of the sessions, the most recently used first: looked up by another thread while sound is running.
final class SessionNames {
    private let hub: Hub
    private let folder: SessionFolder
    private let isInBackground: () -> Bool
    private let work = SerialWork(name: "session names")
    private let found = Mailbox<(names: [String], number: Int)>()
    /// Number of times that names were published directly after a change, without a search.
    private var changes = 0

    init(hub: Hub, folder: SessionFolder, isInBackground: @escaping () -> Bool) {
        self.hub = hub
        self.folder = folder
        self.isInBackground = isInBackground
    }

    /// Records that a session was used last.
    func use(_ path: String) { perform { $0.use(path) } }

    /// Looks for sessions that were added or removed.
    func look() { if !work.isBusy { perform { _ in } } }

    private func perform(_ change: @escaping @Sendable (SessionFolder) -> Void) {
        let body = { @Sendable [folder, found, changes] in
            change(folder)
            found.put((folder.names, changes))
        }
        guard !isInBackground() else { return work.add(body) }
        body()
        settle()
    }

    /// Publishes the names that were found meanwhile.
    func settle() {
        guard let found = found.take() else { return }
        // They may lack sessions that were saved, or have sessions that were deleted, since the search began.
        guard found.number == changes else { return perform { _ in } }
        show(found.names)
    }

    /// Publishes the names that exist after a change.
    func publish(_ names: [String]) {
        changes += 1
        show(names)
    }

    private func show(_ names: [String]) {
        hub.publish(hub.tree.index(SessionParameter.recent), .text(names.joined(separator: "\n")))
    }
}
