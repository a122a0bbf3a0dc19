import Foundation
import Hub
import Parameters
import Session

/// What a program that did not end cleanly has left.
extension SessionDesk {
    /// Stands for the file of a session without a name.
    var unnamed: String { shelf.folder + "/.unnamed.json" }

    /// Begins to keep what would be lost, and recovers what was left.
    ///
    /// - Parameters:
    ///   - isAsked: whether what was left is to be recovered.
    ///   - report: told what was recovered, or why it was not.
    func keep(recover isAsked: Bool, report: @escaping (String) -> Void) {
        var keeper = AutosaveKeeper(session: open.path ?? unnamed)
        if let (left, session) = leftBehind() {
            if isAsked {
                do {
                    try recover(left, of: session)
                    keeper = AutosaveKeeper(session: session, file: left)
                    report(
                        "recovered: \(title(session)), with what was not saved when the last run ended; --no-recover begins without that")
                } catch {
                    report("\(title(session)) was not recovered: \(error); what was left stays in \(left.path)")
                }
            } else {
                report(
                    "\(title(session)) has unsaved changes of a run that did not end cleanly, which are not recovered; they stay in \(left.path)"
                )
            }
        }
        keeper.report = { [hub] in hub.notice($0) }
        self.keeper = keeper
    }

    private func title(_ session: String) -> String {
        session == unnamed ? "a session without a name" : "session \(SessionShelf.name(session))"
    }

    /// Of the session that is open; without one, of the one that was written last.
    private func leftBehind() -> (Autosave, session: String)? {
        if let path = open.path { return Autosave.left(path).map { ($0, path) } }
        let sessions = [unnamed] + shelf.names.compactMap { try? shelf.path($0) }
        return sessions.compactMap { session in Autosave.left(session).map { ($0, session: session) } }
            .max { $0.0.written < $1.0.written }
    }

    private func recover(_ left: Autosave, of session: String) throws {
        let found = try left.read(hub.tree)
        if session != unnamed, open.path == nil { try load(path: session) }
        try apply(found, name: left.path)
        open.fields = found.unknown
        open.addresses = found.snapshot.unknown
        isRecovered = true
        publishFile()
        hub.isTouched = true
    }

    /// Every few seconds.
    func autosave() {
        publishNames()
        if open.path == nil, isChanged { try? shelf.make() }
        keeper?.write(isChanged ? current : nil)
    }

    /// A clean end: nothing is left behind.
    func end() {
        keeper?.end()
        guard keeper != nil else { return }
        publishChanged()
        guard isChanged else { return }
        hub.notice("\(title(open.path ?? unnamed)): what was changed since it \(open.path == nil ? "began" : "was saved") is not kept")
    }
}
