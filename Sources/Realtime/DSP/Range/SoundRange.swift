internal import CRealtime

/// The range of plausible sound: finite, and at most 120 dB above full scale.
///
/// Chains of effects at large gains stay inside, and the limiter's arithmetic is exact up to its end. State from which
/// sound beyond it comes has been spoilt, and is cleared.
public enum SoundRange {
    /// Whether a block is in range, and whether all of it is finite.
    public struct Verdict: BitwiseCopyable, Sendable {
        public var isPlausible: Bool
        public var isFinite: Bool

        @_noLocks @_noAllocation @inlinable @inline(__always)
        init(isPlausible: Bool, isFinite: Bool) {
            self.isPlausible = isPlausible
            self.isFinite = isFinite
        }

        @usableFromInline static var plausible: Verdict {
            @_noLocks @_noAllocation @inlinable @inline(__always) get { Verdict(isPlausible: true, isFinite: true) }
        }
    }

    /// Largest magnitude; full scale is 1.
    public static var limit: Float { @_noLocks @_noAllocation @inlinable get { 1e6 } }

    /// Sum of squares that every block with a sample out of range exceeds; of a block that is not finite it is NaN or infinite.
    public static var energy: Float { @_noLocks @_noAllocation @inlinable get { 1e12 } }

    /// Sum of squares of two rows.
    ///
    /// - Parameters:
    ///   - a, b: `count` samples each; no others are read.
    @_noLocks @_noAllocation @usableFromInline
    static func energy(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
        // Four sums, so that the latencies of the additions overlap.
        var (a0, a1, b0, b1) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var at = 0
        while at &+ 2 &* laneCount <= count {
            let (x0, x1) = (a.lanes(at), a.lanes(at &+ laneCount))
            let (y0, y1) = (b.lanes(at), b.lanes(at &+ laneCount))
            a0 = rt_fma16(x0, x0, a0)
            a1 = rt_fma16(x1, x1, a1)
            b0 = rt_fma16(y0, y0, b0)
            b1 = rt_fma16(y1, y1, b1)
            at = at &+ 2 &* laneCount
        }
        let sums = rt_sum16s(rt_add16(a0, a1), rt_add16(b0, b1))
        var sum = sums[0] + sums[1]
        while at < count {
            sum += a[at] * a[at] + b[at] * b[at]
            at = at &+ 1
        }
        return sum
    }

    /// Judges every sample.
    ///
    /// - Parameter samples: `count` samples.
    @_noLocks @_noAllocation
    public static func judge(_ samples: UnsafePointer<Float>, count: Int) -> Verdict {
        var verdict = Verdict.plausible
        for i in 0..<count where !(abs(samples[i]) <= limit) {
            verdict.isPlausible = false
            if !(abs(samples[i]) <= Float.greatestFiniteMagnitude) { verdict.isFinite = false }
        }
        return verdict
    }
}
