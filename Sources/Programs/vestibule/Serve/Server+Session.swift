import ArgumentParser
import Device
import Engine
import Web

/// The state that the server starts with: a session, unsaved changes, and the command line's options.
extension Server {
    /// Loads the session of the command line.
    func loadSession() throws {
        guard let session = options.session else { return }
        try refusing { try engine.loadSession(session) }
    }

    /// Recovers unsaved changes, and saves new ones automatically.
    ///
    /// Does neither with a file device: a file is rendered the same whatever happened before, and leaves nothing else behind.
    func startAutosave() throws {
        let (sessions, recovery) = (options.sessions, engine.sessions.recovery)
        if case .file = specification { return }
        guard sessions.autosave > 0 else { return }
        recovery.start(recovers: sessions.recover) { [log] in log.write($0) }
        web.loop.every(Int(clamping: sessions.autosave * 1000)) { recovery.autosave() }
    }

    /// Applies the command line's options, which take precedence over the session.
    func applyOptions() throws {
        let state = try options.startState(specification, grant: { [engine] in engine.files.clients.grant($0) })
        try refusing { try engine.begin(state) }
    }

    /// - Throws: `ValidationError` instead of ``StartError``: the command line is to be corrected.
    private func refusing(_ start: () throws -> Void) throws {
        do { try start() } catch let error as StartError { throw ValidationError(error.description) }
    }
}
