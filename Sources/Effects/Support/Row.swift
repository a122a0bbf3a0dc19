internal import CRealtime
internal import DSP

/// Zeros to work in, aligned, freed with their owner.
struct Row: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    let count: Int

    /// - Parameter count: samples; readable and writable a further 64.
    init(_ count: Int) {
        self.count = count
        samples = .allocateAligned(count + 64)
    }

    deinit { samples.deallocate() }

    @_noLocks @_noAllocation
    func clear() { rt_zero(samples, count &+ 64) }
}
