public import FileOutput
public import RenderInterface
internal import Synchronization

/// Writes one head's motion to a file, which gets its final name when it is complete.
public final class MotionWriter {
    /// A file that is open for writing. A crash leaves what was written in `PATH.part`.
    public struct File: Sendable {
        let output: MotionOutput

        /// - Parameters:
        ///   - existing: treatment of an existing file.
        ///   - inputs: files that are read meanwhile.
        /// - Throws: `MotionTrack.Failure` when the file cannot be created.
        public init(path: String, existing: OutputFile.Existing = .refused, inputs: [String] = []) throws(MotionTrack.Failure) {
            do { output = MotionOutput(try OutputFile(path, existing: existing, inputs: inputs, survivesCrash: true)) } catch {
                throw MotionTrack.Failure(description: "motion \(error)")
            }
        }
    }

    /// The last step, to be run after everything else was written.
    public struct Ending: Sendable {
        let output: MotionOutput
        let count: Int

        /// Completes the file.
        /// - Returns: the number of heads in it.
        /// - Throws: `MotionTrack.Failure` when writing failed.
        @discardableResult
        public func complete() throws(MotionTrack.Failure) -> Int {
            try output.finish()
            return count
        }
    }

    private let file: MotionOutput
    private let write: (_ piece: @escaping @Sendable () -> Void) -> Void
    private var origin: UInt64 = 0
    private var text = RecordedHead.header + "\n"
    /// The latest head, not yet written: another one for the same frame replaces it.
    private var pending: HeadStep?
    /// Position of the newest head.
    private var reached: Int64 = 0
    /// Number of heads written.
    public private(set) var count = 0
    /// Whether recording has stopped because playback jumped backwards, by a seek or a new recording.
    public private(set) var isOver = false

    /// - Parameter write: runs pieces of writing, one after the other; on another thread where the caller must not wait for a disk.
    public init(_ file: File, write: @escaping (_ piece: @escaping @Sendable () -> Void) -> Void = { $0() }) {
        self.file = file.output
        self.write = write
    }

    /// Adds a head at a position in the recording. One that is earlier than its predecessor ends the recording of motion, except
    /// that it may replace the only head so far.
    public func add(_ step: HeadStep) {
        guard !isOver else { return }
        if let pending {
            isOver = step.position < reached && count > 0
            guard !isOver else { return }
            if step.position > pending.position {
                reached = step.position
                guard step.head != pending.head else { return }
                put(pending)
            }
        }
        (pending, reached) = (step, step.position)
    }

    private func put(_ step: HeadStep) {
        count += 1
        if origin == 0 { origin = step.time }
        text += RecordedHead.line(step, origin: origin)
        if text.utf8.count > 1 << 16 { flush() }
    }

    private func flush() {
        guard !text.isEmpty else { return }
        if file.admit(text) { write { [file, text] in file.write(text) } }
        text = ""
    }

    /// Writes the rest. Nothing can be added afterwards.
    /// - Returns: the completion of the file, to be run like the other pieces of writing.
    public func finish() -> Ending {
        if let pending { put(pending) }
        pending = nil
        flush()
        return Ending(output: file, count: count)
    }
}

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
