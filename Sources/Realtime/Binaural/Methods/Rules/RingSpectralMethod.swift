/// All microphones below the crossover of the ring, the spectral method above it.
///
/// For an ear at an elevation, the rows of ``ElevationTerms`` are added below the crossover. Above it, the magnitude is the
/// mean of two places on the ring, as many degrees to either side of the ear's azimuth as its elevation has: for a source
/// at this azimuth, or opposite, they are as far from the source as the ear is. The phase remains that at the azimuth.
enum RingSpectralMethod: MethodRule {
    static var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get {
            .init(
                "ring-spectral", "Ring, spectral: the most exact", BandSet(.ringDelayedLow, .ringMagnitude, .ringPhase),
                elevationBands: BandSet(.ringElevation), crossover: .ring, frame: .spectral)
        }
    }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) {
        ring.add(azimuth: ear.azimuth, to: &taps, .ringDelayedLow)
        guard ear.elevation > 0 else { return SpectralTaps.add(ear.bracket, .ring, to: &taps) }
        ring.add(azimuth: ear.azimuth, elevation: ear.elevation, to: &taps)
        ring.bracket(wrapDegrees(ear.azimuth + ear.elevation)).add(to: &taps, .ringMagnitude, share: 0.5)
        ring.bracket(wrapDegrees(ear.azimuth - ear.elevation)).add(to: &taps, .ringMagnitude, share: 0.5)
        SpectralTaps.addPhase(ear.bracket, .ring, to: &taps)
    }
}
