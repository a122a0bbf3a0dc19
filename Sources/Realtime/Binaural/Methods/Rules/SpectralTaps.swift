/// Weights of the spectral methods above their crossover, per frame and frequency: the magnitude (1 - alpha) |X0| + alpha |X1| with a
/// phase that turns from one microphone's to the other's.
///
/// Hom, Algazi, Duda, "High-frequency interpolation for motion-tracked binaural sound", AES 121, 2006, take the phase of
/// the nearest microphone. Its change at the middle of a sector, up to half a turn, would modulate a tone by -40 dB while
/// the head turns. Spread over the middle of the sector, with the slope of a smoothstep, it is a change of frequency by a
/// few hertz.
enum SpectralTaps {
    /// Part of a sector around each microphone in which its phase is used as it is.
    private static var plateau: Float { @_noLocks @_noAllocation get { 0.2 } }

    /// Adds magnitudes and phases at the place of an ear.
    @_noLocks @_noAllocation
    static func add(_ bracket: Bracket, _ crossover: Crossover, to taps: inout Taps) {
        bracket.add(to: &taps, Taps.Band(.magnitude, crossover))
        addPhase(bracket, crossover, to: &taps)
    }

    /// Adds the phase at the azimuth of an ear.
    @_noLocks @_noAllocation
    static func addPhase(_ bracket: Bracket, _ crossover: Crossover, to taps: inout Taps) {
        let along = min(1, max(0, (bracket.fraction - plateau) / (1 - 2 * plateau)))
        let share = along * along * (3 - 2 * along)
        taps.add(Taps.Band(.phase, crossover), bracket.lower, 1 - share)
        taps.add(Taps.Band(.phase, crossover), bracket.upper, share)
    }
}
