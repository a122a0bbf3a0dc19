internal import DSP

/// Rows of samples in one allocation, one row per channel.
package struct Rows: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    /// Distance between the beginnings of two rows, samples.
    let stride: Int

    /// - Parameter length: samples per row; 64 more are readable and writable.
    package init(rows: Int, length: Int) {
        // An odd number of cache lines apart, so that equal places of neighbouring rows do not compete for one
        // set of the first-level cache.
        stride = (length + 63) / 64 * 64 + 64 + 16
        samples = .allocateAligned(rows * stride + 64)
    }

    deinit { samples.deallocate() }

    @_noLocks @_noAllocation
    package func row(_ index: Int) -> UnsafeMutablePointer<Float> { samples + index &* stride }
}
