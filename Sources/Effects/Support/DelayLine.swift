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
        rt_interpolate16(ring, head &- delay, mask, Walk.count - 1 - further)
    }

    /// The same where `further` changes by less than a tenth of a sample in sixteen frames: four loads do.
    @_noLocks @_noAllocation @inline(__always)
    func readSlow(_ delay: Int, further: Lanes) -> Lanes {
        let whole = rt_floor(further[0]) + 1
        let f = whole - further
        let start = ring + ((head &- delay &- Int(whole) &- 1) & mask)
        let (x0, x1, x2, x3) = (start.lanes(0), start.lanes(1), start.lanes(2), start.lanes(3))
        let c1 = (x2 - x0) * 0.5
        let c3 = rt_fma16(x1 - x2, rt_all16(1.5), (x3 - x0) * 0.5)
        let c2 = x0 - x1 + c1 - c3
        return rt_fma16(f, rt_fma16(f, rt_fma16(f, c3, c2), c1), x1)
    }
}
