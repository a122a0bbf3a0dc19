internal import Binaural

/// What an ear is to sound like in the coming block.
struct EarWish: BitwiseCopyable {
    /// Degrees in (-180, 180].
    var azimuth: Float
    var method: InterpolationMethod
    /// Channel that `two-band-fixed` has above the crossover.
    var fixed: Int
    /// Level just before the first frame, and at the last.
    var gains: (from: Float, to: Float)
    /// Of the listener's own ears; nil while there are none.
    var bank: FilterBankView?

    @_noLocks @_noAllocation
    init(azimuth: Float, method: InterpolationMethod, fixed: Int, gains: (from: Float, to: Float)) {
        self.azimuth = azimuth
        self.method = method
        self.fixed = fixed
        self.gains = gains
        bank = nil
    }
}
