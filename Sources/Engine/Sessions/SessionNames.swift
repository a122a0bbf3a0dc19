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
    private let found = Mailbox<[String]>()

    init(hub: Hub, folder: SessionFolder, isInBackground: @escaping () -> Bool) {
        self.hub = hub
        self.folder = folder
        self.isInBackground = isInBackground
    }

    /// Records that a session was used last.
    func use(_ path: String) { perform { $0.use(path) } }

    /// Looks for sessions that came or went.
    func look() { if !work.isBusy { perform { _ in } } }

    private func perform(_ change: @escaping @Sendable (SessionFolder) -> Void) {
        let body = { @Sendable [folder, found] in
            change(folder)
            found.put(folder.names)
        }
        guard !isInBackground() else { return work.add(body) }
        body()
        settle()
    }

    /// Publishes the names that were found meanwhile.
    func settle() { if let names = found.take() { publish(names) } }

    func publish(_ names: [String]) {
        hub.publish(hub.tree.index(SessionParameter.recent), .text(names.joined(separator: "\n")))
    }
}
