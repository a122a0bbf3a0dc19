extension InterpolationMethod {
    /// Linear below the crossover, always the same microphone above it, for both ears.
    ///
    /// Algazi, Duda, Thompson, "Motion-tracked binaural sound", JAES 52(11), 2004. The cheapest way to avoid the
    /// comb; the level difference between the ears does not follow the head above the crossover.
    @_noLocks @_noAllocation
    static func twoBandFixed(_ bracket: Bracket, _ fixed: Int, _ taps: inout Taps) {
        linear(bracket, .low, &taps)
        taps.add(.high, fixed, 1)
    }
}
