internal import CRealtime
internal import DSP

/// The last samples of one channel, read sixteen at a time from anywhere.
///
/// ``write(_:)`` puts sixteen samples at the head without moving it; ``advance(_:)`` moves it by as many of
/// them as count. Reading is meant relative to the head: frame i of a vector is head + i - delay.
struct DelayLine: ~Copyable, Sendable {
    /// Samples before the ring that a wrapped write may spoil, and behind it that repeat its beginning.
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
        // The ring's beginning stands a second time behind its end, for reads that cross it.
        if head < Self.margin { ring.setLanes(head &+ mask &+ 1, samples) }
        if head > mask &- laneCount { ring.setLanes(head &- mask &- 1, samples) }
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ count: Int) { head = (head &+ count) & mask }

    /// - Parameter delay: whole samples; as many frames as it counts are there before they are written.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ delay: Int) -> Lanes { ring.lanes((head &- delay) & mask) }

    /// Between samples, by a cubic; needs one sample after each place and two before it.
    ///
    /// - Parameters:
    ///   - delay: whole samples of it.
    ///   - further: what each frame adds to it, samples, a small number.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ delay: Int, further: Lanes) -> Lanes {
        rt_interpolate16(ring, head &- delay, mask, Ramp.count - 1 - further)
    }
}
