internal import CRealtime
internal import DSP
internal import Glibc

/// The largest magnitude of two sides at and after each sample, between samples included.
///
/// Three interpolated points after each sample, by filters of 64 taps that are the best in the least-squares sense
/// up to 0.49 of the rate, and a parabola through each point and its neighbours: white noise, which has as much near half
/// the rate as anywhere, is found within 0.1 dB.
struct PeakFinder: ~Copyable, Sendable {
    /// Samples by which its answer is late.
    static var delay: Int { @_noLocks @_noAllocation get { half } }
    /// Pairs of taps, which lie symmetrically about the middle between two samples.
    private static var half: Int { @_noLocks @_noAllocation get { 32 } }
    /// Of the rate; beyond, nothing is promised.
    private static let edge = 0.49

    /// Of each pair of taps: what their sum has at a half, and what their sum and their difference have at a quarter.
    private static let pairs: [Float] = {
        let (quarter, middle) = (taps(phase: 0.25), taps(phase: 0.5))
        return (0..<half).flatMap { i -> [Float] in
            // Tap i stands before the middle, its partner as far behind it.
            let (before, behind) = (half - 1 - i, half + i)
            return [
                Float(middle[before]), Float((quarter[before] + quarter[behind]) / 2),
                Float((quarter[before] - quarter[behind]) / 2),
            ]
        }
    }()
    /// The largest sum of magnitudes of a filter's taps: how much more than a sample a peak beside it can be.
    private static let most: Float = {
        stride(from: 0, to: pairs.count, by: 3).reduce(Float(0)) { $0 + 2 * max(abs(pairs[$1]), abs(pairs[$1 + 1]) + abs(pairs[$1 + 2])) }
    }()

    private let left: HistoryRow
    private let right: HistoryRow
    private let found: Row
    private let filter: Row
    /// Points at three quarters, those of the last sample of the block before first.
    private let late: Row
    private let lateEnds: Row
    private let bound: Float

    init(largestBlock: Int) {
        left = HistoryRow(history: 2 * Self.half, largestBlock: largestBlock)
        right = HistoryRow(history: 2 * Self.half, largestBlock: largestBlock)
        found = Row(largestBlock)
        filter = Row(3 * Self.half)
        for (i, value) in Self.pairs.enumerated() { filter.samples[i] = value }
        late = Row(largestBlock + 64)
        lateEnds = Row(16)
        bound = Self.most
    }

    /// The filter that comes nearest to a delay of `phase` samples from tap `half - 1` on, in the least-squares sense
    /// over all frequencies up to the edge: a linear system, solved by elimination.
    private static func taps(phase: Double) -> [Double] {
        let count = 2 * half
        let w = 2 * Double.pi * edge
        func overlap(_ distance: Double) -> Double { distance == 0 ? w : sin(w * distance) / distance }
        var rows = (0..<count).map { i in
            (0..<count).map { overlap(Double(i - $0)) } + [overlap(Double(i - (half - 1)) - phase)]
        }
        for pivot in 0..<count {
            // Positive definite: no row has to be exchanged.
            for row in pivot + 1..<count {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                guard factor != 0 else { continue }
                for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        var result = [Double](repeating: 0, count: count)
        for row in (0..<count).reversed() {
            var sum = rows[row][count]
            for column in row + 1..<count { sum -= rows[row][column] * result[column] }
            result[row] = sum / rows[row][row]
        }
        return result
    }

    var row: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { found.samples } }

    @_noLocks @_noAllocation
    func reset() {
        left.reset()
        right.reset()
        lateEnds.clear()
    }

    /// `row[i]` becomes the largest magnitude from a quarter before sample i - 32 up to a quarter before the next one.
    ///
    /// - Parameter ceiling: what lies below it need not be found.
    @_noLocks @_noAllocation
    func find(_ leftSamples: UnsafePointer<Float>, _ rightSamples: UnsafePointer<Float>, frames: Int, ceiling: Float) {
        rt_copy(left.block, leftSamples, frames)
        rt_copy(right.block, rightSamples, frames)
        rt_zero(found.samples, frames &+ laneCount)
        find(left, side: 0, frames: frames, ceiling: ceiling)
        find(right, side: 1, frames: frames, ceiling: ceiling)
        left.advance(frames)
        right.advance(frames)
    }

    @_noLocks @_noAllocation
    private func find(_ samples: borrowing HistoryRow, side: Int, frames: Int, ceiling: Float) {
        guard largest(samples, frames: frames) * bound > ceiling else {
            lateEnds.samples[side] = 0
            return
        }
        late.samples[0] = lateEnds.samples[side]
        var at = 0
        while at < frames {
            interpolate(samples.block + at, at)
            at = at &+ laneCount
        }
        lateEnds.samples[side] = late.samples[frames]
    }

    @_noLocks @_noAllocation
    private func largest(_ samples: borrowing HistoryRow, frames: Int) -> Float {
        rt_zero(samples.block + frames, laneCount)
        var top = Lanes.zero
        var at = 0
        while at < frames &+ 2 &* Self.half {
            top = rt_max16(top, rt_abs16(samples.start.lanes(at)))
            at = at &+ laneCount
        }
        return rt_largest16(top)
    }

    @_noLocks @_noAllocation @inline(__always)
    private func interpolate(_ samples: UnsafeMutablePointer<Float>, _ at: Int) {
        // The sample whose successors are interpolated, and the next.
        let (here, next) = (samples - Self.half, samples - (Self.half &- 1))
        var (middle, even, odd) = (Lanes.zero, Lanes.zero, Lanes.zero)
        for i in 0..<Self.half {
            let (before, behind) = ((here - i).lanes(0), (next + i).lanes(0))
            let (sum, difference) = (before + behind, before - behind)
            middle = rt_fma16(sum, rt_all16(filter.samples[3 &* i]), middle)
            even = rt_fma16(sum, rt_all16(filter.samples[3 &* i &+ 1]), even)
            odd = rt_fma16(difference, rt_all16(filter.samples[3 &* i &+ 2]), odd)
        }
        let (first, last) = (even + odd, even - odd)
        late.samples.setLanes(at &+ 1, last)
        let (x, y) = (here.lanes(0), next.lanes(0))
        let one = rt_max16(peak(late.samples.lanes(at), x, first), peak(x, first, middle))
        let two = rt_max16(peak(first, middle, last), peak(middle, last, y))
        found.samples.setLanes(at, rt_max16(found.samples.lanes(at), rt_max16(one, two)))
    }

    /// The magnitude at the top of the parabola through three points, where the middle one is the highest or lowest.
    @_noLocks @_noAllocation @inline(__always)
    private func peak(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
        let (rise, fall) = (b - a, b - c)
        let slope = a - c
        let top = b + slope * slope / ((rise + fall) * 8)
        return rt_max16(rt_abs16(b), rt_select_less16(.zero, rise * fall, rt_abs16(top), .zero))
    }
}
