internal import Foundation
internal import Glibc
public import RenderInterface

/// Writes one head's motion to a file, which gets its final name when it is complete.
public final class MotionWriter {
    private let path: String
    private let part: String
    private let file: FileHandle
    private var origin: UInt64 = 0
    private var text = RecordedHead.header + "\n"
    /// The latest head, not yet written: another one for the same frame replaces it.
    private var pending: HeadStep?
    /// Number of heads recorded.
    public private(set) var count = 0
    /// Whether recording has stopped because playback jumped backwards, by a seek or a new recording.
    public private(set) var isOver = false

    /// - Throws: `MotionTrack.Failure` when the file cannot be created.
    public init(path: String) throws(MotionTrack.Failure) {
        self.path = path
        part = path + ".part"
        guard FileManager.default.createFile(atPath: part, contents: nil), let file = FileHandle(forWritingAtPath: part) else {
            throw MotionTrack.Failure(
                description: "motion \(path): the file cannot be created; specify an existing folder that is writable")
        }
        self.file = file
    }

    public func add(_ step: HeadStep) {
        guard !isOver else { return }
        if let pending {
            isOver = step.position < pending.position
            guard !isOver else { return }
            if step.position > pending.position { write(pending) }
        }
        pending = step
        count += 1
    }

    private func write(_ step: HeadStep) {
        if origin == 0 { origin = step.time }
        text += RecordedHead.line(step, origin: origin)
        if text.utf8.count > 1 << 16 { flush() }
    }

    private func flush() {
        try? file.write(contentsOf: Data(text.utf8))
        text = ""
    }

    /// Completes the file. Nothing can be added afterwards.
    /// - Throws: `MotionTrack.Failure` when writing failed.
    public func finish() throws(MotionTrack.Failure) {
        if let pending { write(pending) }
        do {
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
            guard rename(part, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw MotionTrack.Failure(description: "motion \(path): the file cannot be written; check that the disk is not full")
        }
    }
}
