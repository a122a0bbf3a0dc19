internal import CRealtime

/// Delays stereo sound by a fixed number of samples.
struct FixedDelay: ~Copyable, Sendable {
    let samples: Int
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
    private let stride: Int

    init(samples: Int, largestBlock: Int) {
        self.samples = samples
        stride = samples + largestBlock + 64
        memory = .allocate(capacity: 2 * stride)
        memory.initialize(repeating: 0, count: 2 * stride)
    }

    deinit { memory.deallocate() }

    /// Delayed samples of the current block, valid until ``advance(_:)``.
    var left: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory } }
    var right: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { memory + stride } }

    @_noLocks @_noAllocation
    mutating func take(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int) {
        rt_copy(memory + samples, left, frames)
        rt_copy(memory + (stride &+ samples), right, frames)
    }

    /// Ends the block.
    @_noLocks @_noAllocation
    mutating func advance(_ frames: Int) {
        rt_move(memory, memory + frames, samples)
        rt_move(memory + stride, memory + (stride &+ frames), samples)
    }
}
