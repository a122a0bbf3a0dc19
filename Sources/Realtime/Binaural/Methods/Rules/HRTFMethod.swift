/// The sum of all microphones through filters that are fitted to the listener's HRTF.
enum HRTFMethod: MethodRule {
    static var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get {
            .init("hrtf", "Through an HRTF", formerName: "personal", BandSet(.hrtf), frame: .hrtf, standIn: .ringSpectral)
        }
    }

    @_noLocks @_noAllocation
    static func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) { taps.add(.hrtf, 0, 1) }
}
