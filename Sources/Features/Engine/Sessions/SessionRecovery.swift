import Foundation
import Hub
import Parameters
import Session

/// Autosave, and the recovery of unsaved changes of an earlier run.
package final class SessionRecovery {
    /// Whether all changes have been written.
    package var isSettled: Bool { writer?.isSettled ?? true }
    private let hub: Hub
    private let files: SessionFiles
    private var writer: AutosaveWriter?
    /// Whether this run continues with unsaved changes of an earlier one.
    package private(set) var isRecovered = false

    init(hub: Hub, files: SessionFiles) {
        self.hub = hub
        self.files = files
    }

    /// Path that stands for the file of a session without a name.
    private var unnamed: String { files.folder.folder + "/.unnamed.json" }

    /// Starts saving automatically, and recovers unsaved changes.
    ///
    /// - Parameters:
    ///   - recovers: whether unsaved changes of an earlier run are recovered.
    ///   - report: called with what was recovered, or why it was not.
    package func start(recovers: Bool, report: @escaping (String) -> Void) {
        var file = AutosaveFile(session: files.open.path ?? unnamed)
        if let (autosave, session) = findAutosave() {
            if recovers {
                do {
                    try files.recover(autosave.read(hub.tree), from: autosave.path, of: session == unnamed ? nil : session)
                    isRecovered = true
                    file = AutosaveFile(session: session, file: autosave)
                    report(
                        "recovered: \(title(session)), with the unsaved changes of the last run; start with --no-recover to discard them")
                } catch {
                    report("\(title(session)) was not recovered: \(error); its unsaved changes stay in \(autosave.path)")
                }
            } else {
                report(
                    "\(title(session)) has unsaved changes of an earlier run, which are not recovered; "
                        + "they stay in \(autosave.path)"
                )
            }
        }
        let writer = AutosaveWriter(file) { [files] in files.files.isInBackground }
        writer.report = { [hub] in hub.notice($0) }
        self.writer = writer
    }

    private func title(_ session: String) -> String {
        session == unnamed ? "a session without a name" : "session \(SessionFolder.name(session))"
    }

    /// The unsaved changes of the open session; while none is open, the changes that were written last.
    private func findAutosave() -> (Autosave, session: String)? {
        if let path = files.open.path { return Autosave.left(path).map { ($0, path) } }
        let sessions = [unnamed] + files.folder.names.compactMap { try? files.folder.path($0) }
        return sessions.compactMap { session in Autosave.left(session).map { ($0, session: session) } }
            .max { $0.0.time < $1.0.time }
    }

    func move(to session: String) { writer?.move(to: session) }

    func noteChange() { writer?.hasChanges = true }

    /// Saves unsaved changes automatically; called every few seconds.
    package func autosave() {
        files.names.look()
        writer?.write(files.isChanged ? files.current : nil)
    }

    /// Ends: keeps unsaved changes for the next start, and removes the autosave when there are none.
    package func end() {
        guard let writer else { return }
        files.publishChanged()
        guard writer.end(files.isChanged ? files.current : nil) else { return }
        hub.notice("\(title(files.open.path ?? unnamed)): the unsaved changes are kept, and recovered at the next start")
    }
}
