internal import CRealtime

/// How long the block is that is being rendered, and what holds for all of it.
struct Block: BitwiseCopyable {
    /// Seconds of the one-pole walk to another gain.
    static var gainTime: Float { @_noLocks @_noAllocation get { 0.015 } }

    let frames: Int
    let seconds: Float
    /// Frames of the recording that were used before it.
    let position: Int64
    /// Beats per minute.
    let tempo: Float
    /// What a gain walks in this block of the way to its target.
    let gainShare: Float
    /// When its last frame leaves the converter, CLOCK_MONOTONIC nanoseconds; 0 when nobody knows.
    let end: UInt64

    @_noLocks @_noAllocation
    init(frames: Int, rate: Float, tempo: Float, output: UInt64 = 0, position: Int64 = 0) {
        self.frames = frames
        seconds = Float(frames) / rate
        self.position = position
        self.tempo = tempo
        end = output == 0 ? 0 : output &+ UInt64(seconds * 1e9)
        gainShare = 1 - rt_exp(-seconds / Self.gainTime)
    }
}
