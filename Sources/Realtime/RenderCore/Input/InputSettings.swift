/// Settings of the live input for one block.
package struct InputSettings: BitwiseCopyable, Sendable {
    /// Level at the end of the block, a factor; 0 while muted.
    package var gain: Float
    /// Channels in use: 1 the left one, 2 the right one, 3 the mean of both, otherwise both.
    package var channels: Int

    @_noLocks @_noAllocation
    package init(gain: Float, channels: Int) {
        self.gain = gain
        self.channels = channels
    }
}
