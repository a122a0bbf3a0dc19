internal import FileOutput
internal import Synchronization

/// The file of a recorded motion, which one thread writes while another one adds text to be written.
final class MotionOutput: Sendable {
    private struct State {
        /// Bytes that wait.
        var waiting = 0
        /// The first error; nothing is written after it.
        var failure: OutputError?
    }

    /// Bytes that may wait: an hour of one head.
    private static let mostWaiting = 1 << 24

    private let file: OutputFile
    private let state = Mutex(State())

    init(_ file: OutputFile) { self.file = file }

    /// Admits text that is to be written later.
    /// - Returns: false when too much waits already, which is an error.
    func admit(_ text: String) -> Bool {
        state.withLock { state in
            guard state.failure == nil else { return false }
            guard state.waiting + text.utf8.count <= Self.mostWaiting else {
                state.failure = OutputError(file.path, .other, "the disk does not keep up; free it of other work and record again")
                return false
            }
            state.waiting += text.utf8.count
            return true
        }
    }

    /// Writes text that was admitted.
    func write(_ text: String) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do throws(OutputError) { try file.write(text) } catch { state.withLock { $0.failure = $0.failure ?? error } }
        state.withLock { $0.waiting -= text.utf8.count }
    }

    /// Completes the file.
    func finish() throws(MotionTrack.Failure) {
        do throws(OutputError) {
            if let failure = state.withLock({ $0.failure }) { throw failure }
            try file.finish()
        } catch {
            throw MotionTrack.Failure(description: "motion \(error)")
        }
    }
}
