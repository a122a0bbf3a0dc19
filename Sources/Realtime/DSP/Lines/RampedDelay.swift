internal import CRealtime

/// A fractional delay that moves steadily while it is read, sixteen frames at a time.
///
/// The delay follows its line exactly at every sixteenth frame; in between, the 32 weights of ``SincTaps`` change linearly. At 0.002
/// samples of delay a frame, as at the ears of a head that turns once a second, everything beside a tone is more than 80 dB below it up to
/// a twelfth of the rate.
public struct RampedDelay: ~Copyable, Sendable {
    /// Smallest delay, samples.
    public static var least: Int { @_noLocks @_noAllocation get { SincTaps.least } }
    /// Largest change of the delay within sixteen frames, samples.
    private static var fastest: Float { @_noLocks @_noAllocation get { 8 } }

    private let taps = SincTaps()
    // SAFETY: owned by this value alone, which cannot be copied. Weights at the beginning of sixteen frames, and their changes.
    private nonisolated(unsafe) let weights: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let changes: UnsafeMutablePointer<Float>

    public init() {
        weights = .allocateAligned(4 * laneCount)
        changes = .allocateAligned(4 * laneCount)
    }

    deinit {
        weights.deallocate()
        changes.deallocate()
    }

    /// Reads `input` delayed; `output` is written in whole ``Lanes``.
    ///
    /// - Parameters:
    ///   - input: the first frame, preceded by ``least`` samples more than the longest delay.
    ///   - from, to: delay just before the first frame and at the last, samples, ``least`` or more.
    /// - Returns: the delay at the last frame: `to`, unless that is too far away to be reached.
    @_noLocks @_noAllocation
    public func read(
        _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, frames: Int, from: Float, to: Float
    ) -> Float {
        let most = Self.fastest / Float(laneCount)
        let step = max(-most, min(most, (to - from) / Float(frames)))
        var delay = from
        var frame = 0
        while frame < frames {
            let count = min(laneCount, frames &- frame)
            let next = step == 0 ? to : from + step * Float(frame &+ count)
            output.setLanes(frame, lanes(input + frame, delay, next, 1 / Float(count)))
            delay = next
            frame = frame &+ laneCount
        }
        return delay
    }

    /// Sixteen frames, during which the delay changes from one value to another.
    /// - Parameter share: share of the change in one frame.
    @_noLocks @_noAllocation @inline(__always)
    private func lanes(_ input: UnsafePointer<Float>, _ from: Float, _ to: Float, _ share: Float) -> Lanes {
        let (first, last) = (Int(rt_whole(from)), Int(rt_whole(to)))
        let (a0, a1) = taps.weights(from - Float(first))
        guard from != to else {
            weights.setLanes(0, a0)
            weights.setLanes(16, a1)
            return sum(input - (first &+ SincTaps.least))
        }
        let (b0, b1) = taps.weights(to - Float(last))
        if first == last {
            weights.setLanes(0, a0)
            weights.setLanes(16, a1)
            changes.setLanes(0, b0 - a0)
            changes.setLanes(16, b1 - a1)
            return sum(input - (first &+ SincTaps.least), SincTaps.count, share)
        }
        // A sample that has a weight at one end only has none at the other.
        let longest = max(first, last)
        let (begin, end) = (longest &- first, longest &- last)
        for group in 0..<3 {
            weights.setLanes(16 &* group, .zero)
            changes.setLanes(16 &* group, .zero)
        }
        weights.setLanes(begin, a0)
        weights.setLanes(begin &+ 16, a1)
        changes.setLanes(end, b0)
        changes.setLanes(end &+ 16, b1)
        for group in 0..<3 { changes.setLanes(16 &* group, changes.lanes(16 &* group) - weights.lanes(16 &* group)) }
        return sum(input - (longest &+ SincTaps.least), SincTaps.count &+ max(begin, end) &+ 1, share)
    }

    /// - Parameter count: number of weights, in use up to the next even number.
    @_noLocks @_noAllocation @inline(__always)
    private func sum(_ samples: UnsafePointer<Float>, _ count: Int, _ share: Float) -> Lanes {
        var (y0, y1, change0, change1) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var tap = 0
        while tap &+ 1 < count {
            let (x0, x1) = (samples.lanes(tap), samples.lanes(tap &+ 1))
            y0 = rt_fma16(x0, rt_all16(weights[tap]), y0)
            y1 = rt_fma16(x1, rt_all16(weights[tap &+ 1]), y1)
            change0 = rt_fma16(x0, rt_all16(changes[tap]), change0)
            change1 = rt_fma16(x1, rt_all16(changes[tap &+ 1]), change1)
            tap = tap &+ 2
        }
        return rt_fma16(change0 + change1, Ramp.count * share, y0 + y1)
    }

    /// The same for weights that do not change.
    @_noLocks @_noAllocation @inline(__always)
    private func sum(_ samples: UnsafePointer<Float>) -> Lanes {
        var (y0, y1) = (Lanes.zero, Lanes.zero)
        for tap in stride(from: 0, to: SincTaps.count, by: 2) {
            y0 = rt_fma16(samples.lanes(tap), rt_all16(weights[tap]), y0)
            y1 = rt_fma16(samples.lanes(tap &+ 1), rt_all16(weights[tap &+ 1]), y1)
        }
        return y0 + y1
    }
}
