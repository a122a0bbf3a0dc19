public import FileOutput
public import RenderInterface

/// Writes one head's motion to a file, which gets its final name when it is complete.
public final class MotionWriter {
    /// A file that is open for writing. A crash leaves what was written in `PATH.part`.
    public struct File: Sendable {
        let output: OutputFile

        /// - Parameters:
        ///   - existing: treatment of a file that is there.
        ///   - inputs: files that are read meanwhile.
        /// - Throws: `MotionTrack.Failure` when the file cannot be created.
        public init(path: String, existing: OutputFile.Existing = .refused, inputs: [String] = []) throws(MotionTrack.Failure) {
            do { output = try OutputFile(path, existing: existing, inputs: inputs, survivesCrash: true) } catch {
                throw MotionTrack.Failure(description: "motion \(error)")
            }
        }
    }

    private let file: OutputFile
    /// The first error of writing.
    private var failure: OutputError?
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

    public init(_ file: File) { self.file = file.output }

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
                write(pending)
            }
        }
        (pending, reached) = (step, step.position)
    }

    private func write(_ step: HeadStep) {
        count += 1
        if origin == 0 { origin = step.time }
        text += RecordedHead.line(step, origin: origin)
        if text.utf8.count > 1 << 16 { flush() }
    }

    private func flush() {
        do throws(OutputError) { try file.write(text) } catch { failure = failure ?? error }
        text = ""
    }

    /// Completes the file. Nothing can be added afterwards.
    /// - Throws: `MotionTrack.Failure` when writing failed.
    public func finish() throws(MotionTrack.Failure) {
        if let pending { write(pending) }
        flush()
        do throws(OutputError) {
            if let failure { throw failure }
            try file.finish()
        } catch {
            throw MotionTrack.Failure(description: "motion \(error)")
        }
    }
}
