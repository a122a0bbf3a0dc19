import Crossing
import Pose
import RenderInterface

/// Records one listener's head poses, as they are rendered, into a file.
final class ListenerMotionRecorder {
    private var heads: Ring<HeadStep>.Consumer
    private let gate: Switch.Control
    private var writer: MotionWriter?
    private let frame: (_ feed: Int64, _ framesUsed: Int64) -> Int64?
    /// Frame at which the first head pose was rendered, for motion without a sound recording.
    private var origin: Int64?

    /// - Parameters:
    ///   - gate: opened while the renderer is to report head poses.
    ///   - frame: frame of the recording for a place in a feed; nil for a feed of another recording.
    init(
        heads: consuming Ring<HeadStep>.Consumer, gate: consuming Switch.Control,
        frame: @escaping (_ feed: Int64, _ framesUsed: Int64) -> Int64?
    ) {
        self.heads = heads
        self.gate = gate
        self.frame = frame
    }

    func begin(_ writer: MotionWriter) {
        while heads.pop() != nil {}
        self.writer = writer
        origin = nil
        gate.set(true)
    }

    /// Takes the head poses that the renderer has reported.
    /// - Returns: false when playback jumped back, which ends the motion recording.
    func collect() -> Bool {
        while var step = heads.pop() {
            guard let position = position(step) else { continue }
            step.position = position
            writer?.add(step)
        }
        return writer?.isOver != true
    }

    /// The frame of the sound recording that a head pose applies to; without one, the number of frames since the first head pose.
    private func position(_ step: HeadStep) -> Int64? {
        if step.feed > 0 { return frame(step.feed, step.position) }
        let begin = origin ?? step.position
        origin = begin
        return step.position - begin
    }

    /// Ends the recording.
    /// - Returns: the work that completes the file; nil when nothing was being recorded.
    func end() -> MotionWriter.Ending? {
        gate.set(false)
        _ = collect()
        defer { writer = nil }
        return writer?.finish()
    }
}
