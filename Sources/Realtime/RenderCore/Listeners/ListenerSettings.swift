package import Binaural

/// Settings of one listener for one block.
package struct ListenerSettings: BitwiseCopyable, Sendable {
    package var method: InterpolationMethod
    /// Angle between nose and ear, degrees.
    package var earAzimuth: Float
    /// World yaw that counts as straight ahead, degrees.
    package var front: Float
    /// Channel that `two-band-fixed` uses above the crossover, counted from 0.
    package var fixedMicrophone: Int
    /// Level at the end of the block, a factor; 0 while muted.
    package var gain: Float
    /// Ceiling of the protecting limiter, a factor.
    package var ceiling: Float
    /// Whether the limiter that protects hearing is active.
    package var isProtected: Bool

    @_noLocks @_noAllocation @inlinable @inline(__always)
    package init(
        method: InterpolationMethod, earAzimuth: Float = 90, front: Float = 0, fixedMicrophone: Int = 0,
        gain: Float = 1, ceiling: Float = 1, isProtected: Bool = false
    ) {
        self.method = method
        self.earAzimuth = earAzimuth
        self.front = front
        self.fixedMicrophone = fixedMicrophone
        self.gain = gain
        self.ceiling = ceiling
        self.isProtected = isProtected
    }
}
