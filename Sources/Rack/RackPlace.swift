/// What a place with rows side by side remembers from block to block: how much passes it by. None, unless it comes
/// into running sound or leaves it.
struct RackPlace: ~Copyable, Sendable {
    private(set) var past: Float

    init(enters: Bool) { past = enters ? 1 : 0 }

    /// Walks on for a block; returns where it was.
    @_noLocks @_noAllocation
    mutating func walk(to wanted: Float, share: Float) -> Float {
        let before = past
        past = RackRow.nearer(past, wanted, share)
        return before
    }
}
