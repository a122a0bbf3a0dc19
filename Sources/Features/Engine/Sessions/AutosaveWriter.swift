import Media
import Session
import Synchronization
import Threads

/// Writes unsaved changes, so that they survive a crash: on another thread while sound is running.
final class AutosaveWriter {
    /// Whether something has changed since the last writing.
    var hasChanges = false
    /// Whether all changes have been written.
    var isSettled: Bool { !hasChanges && !work.isBusy }
    /// Called with errors, in words.
    var report: (String) -> Void = { _ in }
    private let file: AutosaveFile
    private let work = SerialWork(name: "autosave")
    private let isInBackground: () -> Bool

    /// Longest wait for the disk at the end, seconds.
    private static let patience = 10.0

    init(_ file: AutosaveFile, isInBackground: @escaping () -> Bool) {
        self.file = file
        self.isInBackground = isInBackground
    }

    /// Switches to another session, or to this one after it was saved: no unsaved changes are left.
    func move(to session: String) {
        hasChanges = false
        perform { $0.move(to: session) }
    }

    /// - Parameter current: nil when nothing differs from the session's file.
    func write(_ current: @autoclosure () -> SessionFile?) {
        guard !work.isBusy else { return }
        reportFailure()
        guard hasChanges else { return }
        hasChanges = false
        let current = current()
        perform { $0.write(current) }
    }

    private func perform(_ body: @escaping @Sendable (AutosaveFile) -> Void) {
        guard isInBackground() else { return body(file) }
        work.add { [file] in body(file) }
    }

    private func reportFailure() { if let failure = file.takeFailure() { report("autosave: \(failure)") } }

    /// Ends when what is being written has been written.
    /// - Parameter current: the unsaved changes, kept for the next start; nil removes the file.
    /// - Returns: whether they are kept.
    func end(_ current: SessionFile?) -> Bool {
        guard work.finish(within: Self.patience) else {
            report("autosave: the disk does not respond; the last changes are lost")
            return false
        }
        guard let current else {
            file.end()
            return false
        }
        let isKept = file.write(current)
        reportFailure()
        if isKept { file.release() }
        return isKept
    }
}

/// The file of unsaved changes of the open session. Used by one thread at a time.
final class AutosaveFile: Sendable {
    private struct State {
        var session: String
        var file: Autosave?
        /// Whether the last writing failed.
        var hasFailed = false
        /// Error in words; nil when there is none to report.
        var failure: String?
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - session: path of the session's file, or of one that stands for a session without a name.
    ///   - file: recovered file, which is written from now on; nil makes a new one as soon as there is something to write.
    init(session: String, file: Autosave? = nil) { state = Mutex(State(session: session, file: file)) }

    /// Switches to another session, or to this one after it was saved: no unsaved changes are left.
    func move(to session: String) {
        state.withLock { state in
            state.file?.end()
            state = State(session: session)
        }
    }

    /// - Parameter current: nil when nothing differs from the session's file.
    /// - Returns: false after an error.
    @discardableResult
    func write(_ current: SessionFile?) -> Bool {
        state.withLock { state in
            guard let current else {
                state.file?.remove()
                return true
            }
            do {
                if state.file == nil {
                    try SessionFolder(of: state.session).make()
                    state.file = Autosave.make(state.session)
                }
                guard let file = state.file else { throw RequestError("\(state.session): no autosave file can be made beside it") }
                try file.write(current)
                state.hasFailed = false
            } catch {
                // A full disk is reported once, not every few seconds.
                if !state.hasFailed { state.failure = "\(error)" }
                state.hasFailed = true
            }
            return !state.hasFailed
        }
    }

    /// Removes the file, because nothing is unsaved.
    func end() { state.withLock { $0.file?.end() } }

    /// Keeps the file for the next start.
    func release() { state.withLock { $0.file = nil } }

    /// An error that has not been reported yet, in words.
    func takeFailure() -> String? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }
}
