/// Linear below the crossover, always the same microphone above it, for both ears.
///
/// Algazi, Duda, Thompson, "Motion-tracked binaural sound", JAES 52(11), 2004. The cheapest way to avoid the
/// comb; the level difference between the ears does not follow the head above the crossover.
enum TwoBandFixedMethod: MethodRule {
    static var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get { .init("two-band-fixed", "Two bands, fixed", BandSet(.low, .high), crossover: .neighbours) }
    }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) {
        ear.bracket.add(to: &taps, .low)
        taps.add(.high, ring.standIn(ear.fixed), 1)
    }
}
