internal import Binaural

/// What an ear is to sound like in the coming block.
struct EarWish: BitwiseCopyable {
    /// Degrees in (-180, 180].
    var azimuth: Float
    var method: InterpolationMethod
    /// Channel that `two-band-fixed` has above the crossover.
    var fixed: Int

    @_noLocks @_noAllocation
    init(azimuth: Float, method: InterpolationMethod, fixed: Int) {
        self.azimuth = azimuth
        self.method = method
        self.fixed = fixed
    }
}
