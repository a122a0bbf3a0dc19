import Session

/// Writes unsaved changes to a file beside the session's own, so that they survive a crash.
final class AutosaveWriter {
    /// Whether something has changed since the last writing.
    var hasChanges = false
    /// Called with errors, in words.
    var report: (String) -> Void = { _ in }
    private var file: Autosave?
    private var session: String
    private var hasFailed = false

    /// - Parameters:
    ///   - session: path of the session's file, or of one that stands for a session without a name.
    ///   - file: recovered and written to from now on; nil makes a new one as soon as there is something to write.
    init(session: String, file: Autosave? = nil) {
        self.session = session
        self.file = file
    }

    /// Follows to another session, or to this one after it was saved: no unsaved changes are left.
    func move(to session: String) {
        file?.end()
        file = nil
        (self.session, hasChanges, hasFailed) = (session, false, false)
    }

    /// - Parameter current: nil when nothing differs from the session's file.
    /// - Returns: false after an error, which is reported.
    @discardableResult
    func write(_ current: SessionFile?) -> Bool {
        guard hasChanges else { return !hasFailed }
        hasChanges = false
        guard let current else {
            file?.remove()
            return true
        }
        if file == nil { file = Autosave.make(session) }
        do {
            guard let file else { throw RequestError("\(session): no autosave file can be made beside it") }
            try file.write(current)
            hasFailed = false
        } catch {
            // A full disk is reported once, not every few seconds.
            if !hasFailed { report("autosave: \(error)") }
            hasFailed = true
        }
        return !hasFailed
    }

    /// Removes the autosave, because nothing is unsaved.
    func end() { file?.end() }

    /// Leaves the autosave to the next start.
    func release() { file = nil }
}
