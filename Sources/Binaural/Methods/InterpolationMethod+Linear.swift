extension InterpolationMethod {
    /// (1 - alpha) x0 + alpha x1 over the whole spectrum: exact below the crossover, a comb above it.
    @_noLocks @_noAllocation
    static func linear(_ bracket: Bracket, _ band: Taps.Band, _ taps: inout Taps, share: Float = 1) {
        taps.add(band, bracket.lower, share * (1 - bracket.fraction))
        taps.add(band, bracket.upper, share * bracket.fraction)
    }
}
