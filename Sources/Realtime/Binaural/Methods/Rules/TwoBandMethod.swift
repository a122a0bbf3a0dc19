/// Linear below the crossover, the nearest microphone above it.
///
/// Algazi, Duda, Thompson, "Motion-tracked binaural sound", JAES 52(11), 2004.
enum TwoBandMethod: MethodRule {
    static var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get { .init("two-band", "Two bands", BandSet(.low, .high), crossover: .neighbours) }
    }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) {
        ear.bracket.add(to: &taps, .low)
        ear.nearest.add(to: &taps, .high)
    }
}
