import Crossing
import Tracking

/// One listener's heads on their way from the renderer into a file.
final class MotionTape {
    private var heads: Ring<HeadStep>.Consumer
    private let gate: Gate.Control
    private var writer: MotionWriter?

    init(heads: consuming Ring<HeadStep>.Consumer, gate: consuming Gate.Control) {
        self.heads = heads
        self.gate = gate
    }

    func begin(_ writer: MotionWriter) {
        while heads.pop() != nil {}
        self.writer = writer
        gate.set(true)
    }

    /// - Returns: false when the sound recording went back, so that the motion is over.
    func collect() -> Bool {
        while let step = heads.pop() { writer?.add(step) }
        return writer?.isOver != true
    }

    /// Completes the file.
    /// - Returns: how many heads are in it.
    func end() throws -> Int {
        gate.set(false)
        _ = collect()
        defer { writer = nil }
        try writer?.finish()
        return writer?.count ?? 0
    }
}
