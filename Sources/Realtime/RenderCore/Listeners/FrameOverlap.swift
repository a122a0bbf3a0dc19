internal import CRealtime
internal import DSP

/// Overlap-add buffer of one ear's spectral frames.
struct FrameOverlap: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    private let count: Int
    private let length: Int

    /// - Parameter length: length of a frame, samples.
    init(length: Int, period: Int) {
        self.length = length
        count = roundedToLanes(length + period) + 64
        samples = .allocateAligned(count)
    }

    deinit { samples.deallocate() }

    /// The block's samples, complete once every frame that begins in it has been added.
    var row: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(samples) } }

    /// The place of a frame that begins `place` samples into the block.
    @_noLocks @_noAllocation
    func frame(_ place: Int) -> UnsafeMutablePointer<Float> { samples + place }

    /// Advances to the next block.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) {
        rt_move(samples, samples + frames, length)
        rt_zero(samples + length, frames)
    }

    @_noLocks @_noAllocation
    func clear() { rt_zero(samples, count) }
}
