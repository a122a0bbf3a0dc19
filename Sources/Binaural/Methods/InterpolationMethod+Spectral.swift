extension InterpolationMethod {
    /// Above the crossover, per frame and frequency: the magnitude (1 - alpha) |X0| + alpha |X1| with the phase of the
    /// nearest microphone.
    ///
    /// Hom, Algazi, Duda, "High-frequency interpolation for motion-tracked binaural sound", AES 121, 2006. When
    /// another microphone becomes the nearest (with hysteresis), the phase is crossfaded with it: the unit
    /// phasors of both, each with its share, are added and normalised, so that the magnitude is not
    /// changed.
    @_noLocks @_noAllocation
    static func spectral(
        _ crossover: Crossover, _ bracket: Bracket, _ nearest: NearestMicrophone, _ taps: inout Taps
    ) {
        linear(bracket, Taps.Band(.magnitude, crossover), &taps)
        nearest.add(to: &taps, Taps.Band(.phase, crossover))
    }
}
