internal import DSP

/// Keeps the rows of objects, of sound from all around and of reflections in range, and counts replacements.
struct RowGuards: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied; one for each row.
    private nonisolated(unsafe) let guards: UnsafeMutablePointer<RangeGuard>
    // SAFETY: as above.
    private nonisolated(unsafe) let counts: UnsafeMutablePointer<RangeCounts>

    /// - Parameter rate: frames per second.
    init(rows: Int, rate: Float) {
        guards = .allocate(capacity: rows)
        guards.initialize(repeating: RangeGuard(rate: rate), count: rows)
        counts = .allocate(capacity: rows)
        counts.initialize(repeating: RangeCounts(), count: rows)
    }

    deinit {
        guards.deallocate()
        counts.deallocate()
    }

    /// Number of times that a row was replaced.
    @_noLocks @_noAllocation
    subscript(row: Int) -> RangeCounts { counts[row] }

    /// Lets a row's block through, or replaces it; see ``RangeGuard/admit(_:_:frames:energy:)``. The result is to be noted.
    @_noLocks @_noAllocation
    func admit(_ row: Int, _ samples: UnsafeMutablePointer<Float>, frames: Int) -> SoundRange.Verdict {
        guards[row].admit(samples, samples, frames: frames)
    }

    /// Counts a row's block that is not plausible.
    @_noLocks @_noAllocation
    func note(_ row: Int, _ verdict: SoundRange.Verdict) {
        if !verdict.isPlausible { counts[row].note(verdict) }
    }
}
