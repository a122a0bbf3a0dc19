import Hub
import Parameters
import Session

/// The comparison of the current state with a session's file.
extension SessionFiles {
    /// Maximum number of published lines of a difference.
    private static let mostLines = 200

    /// Path of the session that is compared; nil for a session without a file.
    func comparedPath(_ name: String) throws -> String? { name.isEmpty ? open.path : try path(name) }

    /// Publishes the changes that loading a session would make; makes none of them.
    /// - Parameter name: of the session; empty for the one that is open.
    func compare(_ name: String) throws {
        let difference = index(.difference)
        do {
            guard let path = try comparedPath(name) else {
                throw RequestError("the session has no file to compare with")
            }
            var session = try files.session(path, isLoaded: false)
            let now = current
            let isUntouched = hub.tree.partsLeftOut(of: session)
            session.snapshot.parameters.merge(
                now.snapshot.parameters.filter { entry in hub.tree.index(at: entry.key).map { isUntouched(hub.tree.nodes[$0]) } ?? false }
            ) { own, _ in own }
            // The number of listeners is fixed at the start.
            if session.deviceListeners <= hub.tree.wired { session.listeners = now.listeners }
            if session.recording == nil { session.recording = now.recording }
            let lines = SessionDifference.lines(from: now, to: session, hub.tree)
            let shown = lines.prefix(Self.mostLines) + (lines.count > Self.mostLines ? ["and \(lines.count - Self.mostLines) more"] : [])
            hub.publish(difference, .text(([name] + shown).joined(separator: "\n")))
        } catch {
            hub.publish(difference, .text("\(name)\n!\(error)"))
            throw error
        }
    }
}
