internal import CRealtime
internal import DSP

/// The last samples of one channel, read sixteen at a time from any position.
///
/// ``write(_:)`` stores sixteen samples at the head without moving it; ``advance(_:)`` moves it by the number of valid
/// ones. Reading is relative to the head: frame i of a vector is head + i - delay.
struct DelayLine: ~Copyable, Sendable {
    /// Samples before the ring that a wrapping write may overwrite, and behind it that repeat its beginning.
    private static var margin: Int { @_noLocks @_noAllocation get { 32 } }

    private let memory: Row
    /// Index 0 of the ring.
    // SAFETY: points into `memory`, which this value alone owns.
    private nonisolated(unsafe) let ring: UnsafeMutablePointer<Float>
    private let mask: Int
    private var head = 0

    /// - Parameter longest: the longest delay, samples.
    init(longest: Int) {
        var size = 64
        while size < longest + 2 * Self.margin { size *= 2 }
        memory = Row(size + 3 * Self.margin)
        ring = memory.samples + Self.margin
        mask = size - 1
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func reset() {
        memory.clear()
        head = 0
    }

    @_noLocks @_noAllocation @inline(__always)
    func write(_ samples: Lanes) {
        ring.setLanes(head, samples)
        // The ring's beginning is repeated behind its end, for reads across the end.
        if head < Self.margin { ring.setLanes(head &+ mask &+ 1, samples) }
        if head > mask &- laneCount { ring.setLanes(head &- mask &- 1, samples) }
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ count: Int) { head = (head &+ count) & mask }

    /// - Parameter delay: whole samples, at least the number of frames that are read before they are written.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ delay: Int) -> Lanes { ring.lanes((head &- delay) & mask) }

    /// Reads with a fractional delay by a cubic; needs one sample after each position and two before it.
    ///
    /// - Parameters:
    ///   - delay: whole samples of the delay.
    ///   - further: additional delay of each frame in samples, a small number.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ delay: Int, further: Lanes) -> Lanes {
        rt_interpolate16(ring, head &- delay, mask, Ramp.count - 1 - further)
    }

    /// Like ``read(_:further:)`` from eight samples, with a flat response up to a third of the rate; needs four samples after each
    /// position and three before it.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ delay: Int, exactly further: Lanes) -> Lanes {
        rt_interpolate8_16(ring, head &- delay, mask, Ramp.count - 1 - further)
    }
}
