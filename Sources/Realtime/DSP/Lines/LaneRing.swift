internal import CRealtime

/// A ring of samples that is read sixteen at a time.
public struct LaneRing: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. The first samples are repeated behind the end.
    private nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    private var head = 0

    /// - Parameter longest: oldest sample that is read, with those written before they are read, samples.
    public init(longest: Int) {
        var length = 64
        while length < longest + 2 * laneCount { length *= 2 }
        mask = length - 1
        samples = .allocateAligned(length + laneCount)
    }

    deinit { samples.deallocate() }

    @_noLocks @_noAllocation
    public mutating func write(_ input: UnsafePointer<Float>, frames: Int) {
        for i in 0..<frames {
            let place = (head &+ i) & mask
            samples[place] = input[i]
            if place < laneCount { samples[place &+ mask &+ 1] = input[i] }
        }
        head = head &+ frames
    }

    /// Adds the samples that another ring took last to those that this one took last. They begin and end with a fade: what comes before and
    /// after them does not continue them.
    ///
    /// - Parameters:
    ///   - count: at most the number of samples that both keep.
    ///   - fade: samples of each fade; less when there are not so many.
    @_noLocks @_noAllocation
    public mutating func add(_ other: borrowing LaneRing, latest count: Int, fade: Int) {
        guard count > 0 else { return }
        let step = 1 / Float(max(1, min(fade, count / 2)))
        for i in 1...count {
            let place = (head &- i) & mask
            let share = min(1, step * Float(min(i, count &- i)))
            samples[place] += share * other.samples[(other.head &- i) & other.mask]
            if place < laneCount { samples[place &+ mask &+ 1] = samples[place] }
        }
    }

    /// Returns sixteen samples, the first of which was written `delay` samples before the next one to be written.
    @_noLocks @_noAllocation @inline(__always)
    public func read(_ delay: Int) -> Lanes { samples.lanes((head &- delay) & mask) }
}
