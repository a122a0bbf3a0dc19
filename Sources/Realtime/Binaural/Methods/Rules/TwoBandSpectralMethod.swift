/// Linear below the crossover, magnitudes and phases of the two neighbours above it, interpolated separately (``SpectralTaps``).
enum TwoBandSpectralMethod: MethodRule {
    static var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get {
            .init(
                "two-band-spectral", "Two bands, spectral", BandSet(.delayedLow, .magnitude, .phase), crossover: .neighbours,
                frame: .spectral)
        }
    }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) {
        ear.bracket.add(to: &taps, .delayedLow)
        SpectralTaps.add(ear.bracket, .neighbours, to: &taps)
    }
}
