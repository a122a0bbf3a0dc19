internal import Binaural

/// Direction and method to which one ear's weights move during the coming block.
struct EarTarget: BitwiseCopyable {
    /// Azimuth of the ear in the world, degrees in (-180, 180].
    var azimuth: Float
    /// Angle of the ear with the ring's plane, degrees in [-90, 90].
    var elevation: Float
    var method: InterpolationMethod
    /// Channel that `two-band-fixed` uses above the crossover, counted from 0.
    var fixed: Int

    @_noLocks @_noAllocation
    init(azimuth: Float, elevation: Float, method: InterpolationMethod, fixed: Int) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.method = method
        self.fixed = fixed
    }
}
