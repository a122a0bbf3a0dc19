internal import CRealtime
internal import DSP

/// One ear's frames of the spectral methods, overlapped and added, on their way out.
struct FrameOverlap: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    private let count: Int
    private let length: Int

    /// - Parameter length: samples of a frame.
    init(length: Int, period: Int) {
        self.length = length
        count = roundedToLanes(length + period) + 64
        samples = .allocateAligned(count)
    }

    deinit { samples.deallocate() }

    /// The block's samples, complete once every frame that begins in it was added.
    var row: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(samples) } }

    /// Where a frame goes that begins `place` samples into the block.
    @_noLocks @_noAllocation
    func frame(_ place: Int) -> UnsafeMutablePointer<Float> { samples + place }

    /// Goes on to the next block.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) {
        rt_move(samples, samples + frames, length)
        rt_zero(samples + length, frames)
    }

    @_noLocks @_noAllocation
    func clear() { rt_zero(samples, count) }
}
