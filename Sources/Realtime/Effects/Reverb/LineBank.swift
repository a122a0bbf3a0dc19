internal import CRealtime
internal import DSP

/// 32 delay lines of equal length that are written together.
struct LineBank: ~Copyable, Sendable {
    static var count: Int { @_noLocks @_noAllocation @inline(__always) get { 32 } }
    /// Samples before each ring that a wrapping write may overwrite, and behind it that repeat its beginning.
    private static var margin: Int { @_noLocks @_noAllocation @inline(__always) get { 32 } }

    private let memory: Row
    // SAFETY: points into `memory`, which this value alone owns.
    private nonisolated(unsafe) let rings: UnsafeMutablePointer<Float>
    private let mask: Int
    private let stride: Int
    private var head = 0

    /// - Parameter longest: the longest delay, samples.
    init(longest: Int) {
        var size = 64
        while size < longest + 2 * Self.margin { size *= 2 }
        mask = size - 1
        // A power of two plus seven cache lines, so that lines do not compete for the same cache set.
        stride = size + 112
        memory = Row(Self.count * stride)
        rings = memory.samples + Self.margin
    }

    /// Clears one line.
    @_noLocks @_noAllocation
    func clear(_ i: Int) { rt_zero(rings + i &* stride - Self.margin, stride) }

    /// Writes sixteen samples to line `i`; once for each line before ``advance(_:)``.
    @_noLocks @_noAllocation @inline(__always)
    func write(_ i: Int, _ samples: Lanes) { (rings + i &* stride).setLanes(head, samples) }

    /// Advances all heads by the number of valid samples.
    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ count: Int) {
        if head < Self.margin || head > mask &- laneCount { mirror() }
        head = (head &+ count) & mask
    }

    /// Repeats each ring's beginning behind its end, and copies a write across the end to the beginning.
    @_noLocks @_noAllocation @inline(never)
    private func mirror() {
        for i in 0..<Self.count {
            let ring = rings + i &* stride
            let samples = ring.lanes(head)
            if head < Self.margin { ring.setLanes(head &+ mask &+ 1, samples) }
            if head > mask &- laneCount { ring.setLanes(head &- mask &- 1, samples) }
        }
    }

    /// Reads with a delay in whole samples.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ i: Int, _ delay: Int) -> Lanes { (rings + i &* stride).lanes((head &- delay) & mask) }

    /// Reads with a fractional delay by a cubic; `further` changes by less than a tenth of a sample in sixteen frames.
    @_noLocks @_noAllocation @inline(__always)
    func readSlow(_ i: Int, _ delay: Int, further: Lanes) -> Lanes {
        let whole = rt_floor(further[0]) + 1
        let f = whole - further
        let start = rings + i &* stride + ((head &- delay &- Int(clamping: whole) &- 1) & mask)
        let (x0, x1, x2, x3) = (start.lanes(0), start.lanes(1), start.lanes(2), start.lanes(3))
        let c1 = (x2 - x0) * 0.5
        let c3 = rt_fma16(x1 - x2, rt_all16(1.5), (x3 - x0) * 0.5)
        let c2 = x0 - x1 + c1 - c3
        return rt_fma16(f, rt_fma16(f, rt_fma16(f, c3, c2), c1), x1)
    }
}
