internal import DSP

/// One row of samples per plane, in one piece of memory.
struct Rows: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    /// From row to row, in samples.
    let stride: Int

    /// - Parameter length: samples per row; readable and writable 64 further.
    init(rows: Int, length: Int) {
        // An odd number of cache lines apart, so that equal places of neighbouring rows do not compete for one
        // set of the first-level cache.
        stride = (length + 63) / 64 * 64 + 64 + 16
        samples = .allocateAligned(rows * stride + 64)
    }

    deinit { samples.deallocate() }

    @_noLocks @_noAllocation
    func row(_ index: Int) -> UnsafeMutablePointer<Float> { samples + index &* stride }
}
