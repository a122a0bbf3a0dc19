extension InterpolationMethod {
    /// All microphones below the crossover of the ring, the spectral method above it.
    ///
    /// For an ear at an elevation, the rows of ``ElevationTerms`` are added below the crossover. Above it, the magnitude is the
    /// mean of two places on the ring, as many degrees to either side of the ear's azimuth as its elevation has: for a source
    /// at this azimuth, or opposite, they are as far from the source as the ear is. The phase remains that at the azimuth.
    ///
    /// - Parameter elevation: degrees from 0 to 90.
    @_noLocks @_noAllocation
    static func ringSpectral(
        _ ring: borrowing RingLookup, azimuth: Float, elevation: Float, _ bracket: Bracket, _ taps: inout Taps
    ) {
        ring.add(azimuth: azimuth, to: &taps, .ringDelayedLow)
        guard elevation > 0 else { return spectral(.ring, bracket, &taps) }
        ring.add(azimuth: azimuth, elevation: elevation, to: &taps)
        linear(ring.bracket(wrapDegrees(azimuth + elevation)), .ringMagnitude, &taps, share: 0.5)
        linear(ring.bracket(wrapDegrees(azimuth - elevation)), .ringMagnitude, &taps, share: 0.5)
        phase(.ring, bracket, &taps)
    }
}
