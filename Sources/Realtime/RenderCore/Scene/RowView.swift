/// Rows of samples in memory owned elsewhere.
struct RowView: BitwiseCopyable {
    // SAFETY: the owner outlives the block in which this view is used.
    nonisolated(unsafe) let samples: UnsafePointer<Float>
    let stride: Int

    @_noLocks @_noAllocation
    init(_ samples: UnsafeMutablePointer<Float>, stride: Int) {
        self.samples = UnsafePointer(samples)
        self.stride = stride
    }

    @_noLocks @_noAllocation
    func row(_ index: Int) -> UnsafePointer<Float> { samples + index &* stride }
}
