/// A scheduled pose on its way to a worker: applies from a block on.
struct TimedPose: BitwiseCopyable, Sendable {
    /// The engine's sample count at the block's first frame.
    var sample: Int64
    /// Due time, CLOCK_MONOTONIC nanoseconds.
    var time: UInt64
    /// From 0.
    var listener: Int32
    /// Unit quaternion w x y z.
    var quaternion: SIMD4<Float>

    @_noLocks @_noAllocation
    init(sample: Int64, time: UInt64, listener: Int32, quaternion: SIMD4<Float>) {
        self.sample = sample
        self.time = time
        self.listener = listener
        self.quaternion = quaternion
    }
}
