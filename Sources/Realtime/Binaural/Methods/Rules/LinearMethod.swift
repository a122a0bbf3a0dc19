/// (1 - alpha) x0 + alpha x1 over the whole spectrum: exact below the crossover, a comb above it.
enum LinearMethod: MethodRule {
    static var declaration: MethodDeclaration { @_noLocks @_noAllocation get { .init("linear", "Linear", BandSet(.full)) } }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) { ear.bracket.add(to: &taps, .full) }
}
