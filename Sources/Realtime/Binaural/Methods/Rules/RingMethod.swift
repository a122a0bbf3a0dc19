/// All microphones below the crossover of the ring, each with the weight that carries a field of circular
/// harmonics to the ear; the nearest one above it. The weights add up to 1, their squares to at most 1 on a
/// uniform ring.
enum RingMethod: MethodRule {
    static var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get { .init("ring", "Ring", BandSet(.ringLow, .ringHigh), crossover: .ring) }
    }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) {
        ring.add(azimuth: ear.azimuth, to: &taps, .ringLow)
        ear.nearest.add(to: &taps, .ringHigh)
    }
}
