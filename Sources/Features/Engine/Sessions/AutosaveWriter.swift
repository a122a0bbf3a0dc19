import Media
import Session
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
