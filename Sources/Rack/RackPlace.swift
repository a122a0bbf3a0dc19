internal import DSP

/// State of a place with rows side by side: how much sound passes it by. None does, unless the place enters running
/// sound or leaves it.
struct RackPlace: ~Copyable, Sendable {
    private var past: Smoother

    init(enters: Bool) { past = Smoother(enters ? 1 : 0) }

    /// Moves on by one block and returns the gain of the sound that passes.
    @_noLocks @_noAllocation
    mutating func pass(_ wanted: Float, share: Float, frames: Int) -> Ramp {
        past.ramp(to: wanted, share: share, frames: frames, tolerance: RackRow.tolerance)
    }
}
