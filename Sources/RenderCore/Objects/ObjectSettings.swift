/// Settings of one sound object for one block.
package struct ObjectSettings: BitwiseCopyable, Sendable {
    /// Degrees, positive to the left.
    package var azimuth: Float
    /// Degrees, positive up.
    package var elevation: Float
    /// Metres.
    package var distance: Float
    /// Level at the end of the block, a factor; 0 while muted.
    package var gain: Float

    @_noLocks @_noAllocation
    package init(azimuth: Float = 0, elevation: Float = 0, distance: Float = 1, gain: Float = 1) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.distance = distance
        self.gain = gain
    }
}
