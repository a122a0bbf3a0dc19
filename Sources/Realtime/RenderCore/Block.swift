internal import CRealtime
internal import DSP

/// Length of the block being rendered, and what applies to all of it.
package struct Block: BitwiseCopyable, Sendable {
    /// Time constant of the one-pole smoother of gains, seconds.
    package static var gainTime: Float { @_noLocks @_noAllocation get { SmoothingTime.level } }

    package let frames: Int
    package let seconds: Float
    /// Beats per minute.
    package let tempo: Float
    /// Share of the distance to its target that a smoothed gain covers in this block.
    package let gainShare: Float

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - tempo: beats per minute.
    @_noLocks @_noAllocation
    package init(frames: Int, rate: Float, tempo: Float) {
        self.frames = frames
        seconds = Float(frames) / rate
        self.tempo = tempo
        gainShare = Smoother.share(frames: frames, rate: rate, seconds: Self.gainTime)
    }
}
