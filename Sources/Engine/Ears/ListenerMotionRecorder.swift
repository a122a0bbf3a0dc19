import Crossing
import Pose
import RenderInterface

/// Records one listener's head poses, as they are rendered, into a file.
final class ListenerMotionRecorder {
    private var heads: Ring<HeadStep>.Consumer
    private let gate: Switch.Control
    private var writer: MotionWriter?

    /// - Parameter gate: opened while the renderer is to report heads.
    init(heads: consuming Ring<HeadStep>.Consumer, gate: consuming Switch.Control) {
        self.heads = heads
        self.gate = gate
    }

    func begin(_ writer: MotionWriter) {
        while heads.pop() != nil {}
        self.writer = writer
        gate.set(true)
    }

    /// Takes the heads that the renderer has reported.
    /// - Returns: false when the sound recording went back, which ends the motion recording.
    func collect() -> Bool {
        while let step = heads.pop() { writer?.add(step) }
        return writer?.isOver != true
    }

    /// Completes the file.
    /// - Returns: the number of heads in it.
    func end() throws -> Int {
        gate.set(false)
        _ = collect()
        defer { writer = nil }
        try writer?.finish()
        return writer?.count ?? 0
    }
}
