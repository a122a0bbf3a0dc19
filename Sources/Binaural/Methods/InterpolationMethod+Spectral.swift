extension InterpolationMethod {
    /// Part of a sector around each microphone in which its phase is used as it is.
    private static var plateau: Float { @_noLocks @_noAllocation get { 0.2 } }

    /// Above the crossover, per frame and frequency: the magnitude (1 - alpha) |X0| + alpha |X1| with a phase that turns from
    /// one microphone's to the other's.
    ///
    /// Hom, Algazi, Duda, "High-frequency interpolation for motion-tracked binaural sound", AES 121, 2006, take the phase of
    /// the nearest microphone. Its change at the middle of a sector, up to half a turn, would modulate a tone by -40 dB while
    /// the head turns. Spread over the middle of the sector, with the slope of a smoothstep, it is a change of frequency by a
    /// few hertz.
    @_noLocks @_noAllocation
    static func spectral(_ crossover: Crossover, _ bracket: Bracket, _ taps: inout Taps) {
        linear(bracket, Taps.Band(.magnitude, crossover), &taps)
        phase(crossover, bracket, &taps)
    }

    /// The phase at an ear's azimuth.
    @_noLocks @_noAllocation
    static func phase(_ crossover: Crossover, _ bracket: Bracket, _ taps: inout Taps) {
        let along = min(1, max(0, (bracket.fraction - plateau) / (1 - 2 * plateau)))
        let share = along * along * (3 - 2 * along)
        taps.add(Taps.Band(.phase, crossover), bracket.lower, 1 - share)
        taps.add(Taps.Band(.phase, crossover), bracket.upper, share)
    }
}
