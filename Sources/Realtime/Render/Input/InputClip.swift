/// A sound in memory that is looped instead of a sound device's input.
// SAFETY: written before it is handed over, and only read afterwards.
public final class InputClip: @unchecked Sendable {
    let samples: UnsafeMutablePointer<Float>
    public let frames: Int

    /// - Parameter interleaved: left, right, left, right at the engine's rate; at least one frame.
    public init(interleaved: [Float]) {
        precondition(interleaved.count >= 2)
        frames = interleaved.count / 2
        samples = .allocate(capacity: interleaved.count)
        samples.initialize(from: interleaved, count: interleaved.count)
    }

    deinit { samples.deallocate() }
}
