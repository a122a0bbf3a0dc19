public import Crossing
internal import Foundation
internal import Glibc

/// Writes one head's motion into a file, which is there under its name when it is complete.
public final class MotionWriter {
    private let path: String
    private let part: String
    private let file: FileHandle
    private var origin: UInt64 = 0
    private var text = RecordedHead.header + "\n"
    /// The head that is not written yet: another one at the same frame takes its place.
    private var pending: HeadStep?
    /// Heads taken.
    public private(set) var count = 0
    /// The sound recording went back, by a seek or another one: from there on nothing is taken.
    public private(set) var isOver = false

    /// - Throws: `MotionTrack.Failure` when the file cannot be made.
    public init(path: String) throws(MotionTrack.Failure) {
        self.path = path
        part = path + ".part"
        guard FileManager.default.createFile(atPath: part, contents: nil), let file = FileHandle(forWritingAtPath: part) else {
            throw MotionTrack.Failure(
                description: "motion \(path): the file cannot be made; name a folder that exists and may be written to")
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
    /// - Throws: `MotionTrack.Failure` when the disk did not take it.
    public func finish() throws(MotionTrack.Failure) {
        if let pending { write(pending) }
        do {
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
            guard rename(part, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw MotionTrack.Failure(description: "motion \(path): it cannot be written; is the disk full?")
        }
    }
}
