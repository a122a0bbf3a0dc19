internal import DSP

/// State of a place with parallel rows: the share of sound that bypasses it. It is 0 except while the place is added to
/// or removed from running sound.
package struct RackPlace: ~Copyable, Sendable {
    private var past: Smoother

    package init(enters: Bool) { past = Smoother(enters ? 1 : 0) }

    /// Advances by one block and returns the gain of the bypassing sound.
    @_noLocks @_noAllocation
    mutating func pass(_ wanted: Float, share: Float, frames: Int) -> Ramp {
        past.ramp(to: wanted, share: share, frames: frames, tolerance: RackRow.tolerance)
    }
}
