import Session

/// Writes what would be lost by a crash, every few seconds, while something differs from the file.
final class AutosaveKeeper {
    /// Something has changed since it was written last.
    var isOwing = false
    /// Told what went wrong.
    var report: (String) -> Void = { _ in }
    private var file: Autosave?
    private var session: String
    private var isRefused = false

    /// - Parameters:
    ///   - session: path of the session's file, or of one that stands for a session without a name.
    ///   - file: what was recovered and is written on; nil for a new one, as soon as there is something to write.
    init(session: String, file: Autosave? = nil) {
        self.session = session
        self.file = file
    }

    /// Another session is open, or this one was saved: there is nothing to lose any more.
    func move(to session: String) {
        file?.end()
        file = nil
        (self.session, isOwing, isRefused) = (session, false, false)
    }

    /// - Parameter current: nil when nothing differs from the file.
    func write(_ current: SessionFile?) {
        guard isOwing else { return }
        isOwing = false
        guard let current else { return file?.remove() ?? () }
        if file == nil { file = Autosave.make(session) }
        do {
            guard let file else { throw SessionRefusal("\(session): unsaved changes cannot be kept beside it") }
            try file.write(current)
            isRefused = false
        } catch {
            // A full disk is said once, not every few seconds.
            if !isRefused { report("autosave: \(error)") }
            isRefused = true
        }
    }

    /// A clean end.
    func end() { file?.end() }
}
