/// The nearest microphone alone, with hysteresis and a crossfade at sector borders.
enum NearestMethod: MethodRule {
    static var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get { .init("nearest", "Nearest microphone", BandSet(.full)) }
    }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) { ear.nearest.add(to: &taps, .full) }
}
