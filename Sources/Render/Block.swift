internal import CRealtime

/// How long the block is that is being rendered.
struct Block: BitwiseCopyable {
    /// Seconds of the one-pole walk to another gain.
    static var gainTime: Float { @_noLocks @_noAllocation get { 0.015 } }

    let frames: Int
    let seconds: Float
    /// What a gain walks in this block of the way to its target.
    let gainShare: Float

    @_noLocks @_noAllocation
    init(frames: Int, rate: Float) {
        self.frames = frames
        seconds = Float(frames) / rate
        gainShare = 1 - rt_exp(-seconds / Self.gainTime)
    }
}
