internal import CRealtime
internal import DSP

/// Aligned working memory, initially zero, freed with its owner.
struct Row: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    let count: Int

    /// - Parameter count: number of samples; 64 more are readable and writable.
    init(_ count: Int) {
        self.count = count
        samples = .allocateAligned(count + 64)
    }

    deinit { samples.deallocate() }

    @_noLocks @_noAllocation
    func clear() { rt_zero(samples, count &+ 64) }
}
