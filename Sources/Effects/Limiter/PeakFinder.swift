internal import CRealtime
internal import DSP
internal import Glibc

/// The largest magnitude of two sides at and after each sample, between samples included.
///
/// Three interpolated points after each sample, by 24 taps under a Kaiser window: what lies under 0.42 of the rate is
/// found within 0.1 dB of its place.
struct PeakFinder: ~Copyable, Sendable {
    /// Samples by which its answer is late.
    static var delay: Int { @_noLocks @_noAllocation get { 12 } }
    private static var taps: Int { @_noLocks @_noAllocation get { 24 } }

    private let left: HistoryRow
    private let right: HistoryRow
    private let found: Row
    private let filters: Row

    init(largestBlock: Int) {
        left = HistoryRow(history: Self.taps, largestBlock: largestBlock)
        right = HistoryRow(history: Self.taps, largestBlock: largestBlock)
        found = Row(largestBlock)
        filters = Row(3 * Self.taps)
        for phase in 1...3 {
            let row = filters.samples + (phase - 1) * Self.taps
            var sum: Float = 0
            for tap in 0..<Self.taps {
                // Place of the tap's sample from the point that is wanted, samples.
                let x = Float(tap) - 11 - Float(phase) / 4
                let window = Self.bessel(5 * sqrtf(max(0, 1 - (x / 12) * (x / 12)))) / Self.bessel(5)
                row[tap] = sinf(.pi * x) / (.pi * x) * window
                sum += row[tap]
            }
            for tap in 0..<Self.taps { row[tap] /= sum }
        }
    }

    /// The modified Bessel function of order 0.
    private static func bessel(_ x: Float) -> Float {
        var term: Float = 1
        var sum: Float = 1
        for k in 1..<20 {
            term *= (x / 2 / Float(k)) * (x / 2 / Float(k))
            sum += term
        }
        return sum
    }

    var row: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { found.samples } }

    @_noLocks @_noAllocation
    func reset() {
        left.reset()
        right.reset()
    }

    /// `row[i]` becomes the largest magnitude from sample i - 12 up to the next one.
    @_noLocks @_noAllocation
    func find(_ leftSamples: UnsafePointer<Float>, _ rightSamples: UnsafePointer<Float>, frames: Int) {
        rt_copy(left.block, leftSamples, frames)
        rt_copy(right.block, rightSamples, frames)
        var at = 0
        while at < frames {
            let peak = rt_max16(peak(left.block + at), peak(right.block + at))
            found.samples.setLanes(at, peak)
            at = at &+ laneCount
        }
        left.advance(frames)
        right.advance(frames)
    }

    @_noLocks @_noAllocation @inline(__always)
    private func peak(_ samples: UnsafeMutablePointer<Float>) -> Lanes {
        // Tap 11 stands on the sample whose successors are interpolated.
        let first = samples - 23
        var (a, b, c) = (Lanes.zero, Lanes.zero, Lanes.zero)
        for tap in 0..<Self.taps {
            let x = first.lanes(tap)
            a = rt_fma16(x, rt_all16(filters.samples[tap]), a)
            b = rt_fma16(x, rt_all16(filters.samples[Self.taps &+ tap]), b)
            c = rt_fma16(x, rt_all16(filters.samples[2 &* Self.taps &+ tap]), c)
        }
        let between = rt_max16(rt_max16(rt_abs16(a), rt_abs16(b)), rt_abs16(c))
        return rt_max16(between, rt_abs16(first.lanes(11)))
    }
}
