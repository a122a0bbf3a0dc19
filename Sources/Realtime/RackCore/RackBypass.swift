internal import CRealtime
internal import DSP

/// The bypass of a whole rack: a crossfade from the effects to the sound as it entered, which is delayed like them.
///
/// The effects keep running, so that they are heard again as if there had been no bypass.
package struct RackBypass: ~Copyable, Sendable {
    /// Distance to its target at which a fade ends.
    private static var tolerance: Float { @_noLocks @_noAllocation get { 1e-3 } }

    // SAFETY: owned by this value alone, which cannot be copied: the current block, delayed.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
    private let stride: Int
    private var line: Alignment
    private var share: Smoother
    private var gain = Ramp(from: 0, step: 0)
    /// Frames in the line.
    private var filled = 0

    /// - Parameters:
    ///   - latency: delay of the effects, samples.
    ///   - isOn: whether the bypass is on from the start, without a fade.
    package init(latency: Int, largestBlock: Int, isOn: Bool) {
        stride = largestBlock + 64
        memory = .allocate(capacity: 2 * stride)
        memory.initialize(repeating: 0, count: 2 * stride)
        line = Alignment(delay: latency, largestBlock: largestBlock)
        share = Smoother(isOn ? 1 : 0)
        // The line counts as filled with the silence before the start.
        filled = isOn ? Alignment.longest : 0
    }

    deinit { memory.deallocate() }

    /// Takes a block before the effects process it.
    ///
    /// - Parameters:
    ///   - latency: delay of the effects, samples.
    ///   - speed: share of a fade that one block covers.
    @_noLocks @_noAllocation
    mutating func take(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int, isOn: Bool, latency: Int, speed: Float
    ) {
        guard isOn || share.value > 0 else {
            gain = Ramp(from: 0, step: 0)
            filled = 0
            return
        }
        rt_copy(memory, left, frames)
        rt_copy(memory + stride, right, frames)
        line.process(memory, memory + stride, frames: frames, delay: latency)
        // The fade begins once the line is filled up to the latency.
        let wanted: Float = isOn && filled >= latency ? 1 : 0
        gain = share.ramp(to: wanted, share: speed, frames: frames, tolerance: Self.tolerance)
        filled = min(Alignment.longest, filled &+ frames)
    }

    /// Mixes the output of the effects with the sound that bypasses them.
    @_noLocks @_noAllocation
    func join(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        if gain.isZero { return }
        if gain.isOne {
            rt_copy(left, memory, frames)
            rt_copy(right, memory + stride, frames)
            return
        }
        gain.crossfade(from: left, to: memory, into: left, frames: frames)
        gain.crossfade(from: right, to: memory + stride, into: right, frames: frames)
    }
}
