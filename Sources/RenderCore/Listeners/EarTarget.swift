internal import Binaural

/// Direction and method to which one ear's weights move during the coming block.
struct EarTarget: BitwiseCopyable {
    /// Azimuth of the ear in the world, degrees in (-180, 180].
    var azimuth: Float
    var method: InterpolationMethod
    /// Channel that `two-band-fixed` uses above the crossover, counted from 0.
    var fixed: Int

    @_noLocks @_noAllocation
    init(azimuth: Float, method: InterpolationMethod, fixed: Int) {
        self.azimuth = azimuth
        self.method = method
        self.fixed = fixed
    }
}
