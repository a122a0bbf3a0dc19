internal import CRealtime
internal import DSP
internal import Glibc

/// The largest magnitude of two sides at and after each sample, including between samples.
///
/// Three interpolated points after each sample, by least-squares filters of 32 taps, and a parabola through each point and its neighbours.
/// Frequencies just below half the rate depend on samples farther from a peak than the filters reach. A peak near the ceiling counts as
/// higher by a share of their level, so that in white noise, which has as much energy there as elsewhere, no peak passes more than 0.2 dB
/// above the ceiling. Sound below 0.42 of the rate, 20 kHz at 48 kHz, has no such margin, nor has sound whose peaks are more than 1 dB
/// below the ceiling.
struct PeakFinder: ~Copyable, Sendable {
    /// Latency in samples.
    static var delay: Int { @_noLocks @_noAllocation get { half } }
    /// Largest number of samples before a block that its peaks depend on.
    static var reach: Int { @_noLocks @_noAllocation get { 64 } }
    /// Number of pairs of taps, symmetric about the middle between two samples.
    private static var half: Int { @_noLocks @_noAllocation get { 16 } }
    /// Frequency as a share of the rate from which errors of the filters count less.
    private static let edge = 0.43
    /// Weight of errors at frequencies above.
    private static let weight = 0.01
    /// Margin of a peak as a share of the level of frequencies near half the rate.
    private static var margin: Float { @_noLocks @_noAllocation get { 1 } }
    /// Share of the ceiling above which peaks have that margin: the filters may show a peak just above the ceiling as low as this.
    private static var nearly: Float { @_noLocks @_noAllocation get { 0.9 } }
    /// Upper limit of that level, so that the effect of one extreme sample decays soon.
    private static var highest: Float { @_noLocks @_noAllocation get { 64 } }
    /// Samples in which that level decays by a factor of e.
    private static let decay: Float = 200
    /// Taps of the high-pass filter: more than the others have, all of the additional ones in the past, where they cost no latency.
    private static var highTaps: Int { @_noLocks @_noAllocation get { 48 } }
    /// A high-pass filter from the oldest tap on, by least squares: at most 3.3e-3 up to 0.417 of the rate, within 2.5 % of 1 from 0.47.
    private static let highPass: [Float] = [
        0.0004377, -0.0010800, 0.0020474, -0.0033279, 0.0048326, -0.0063925, 0.0077566, -0.0086201, 0.0086555, -0.0075715, 0.0051654,
        -0.0013861, -0.0036274, 0.0095165, -0.0157159, 0.0214862, -0.0259905, 0.0283823, -0.0279202, 0.0240672, -0.0165867, 0.0055937,
        0.0084214, -0.0246298, 0.0419308, -0.0590694, 0.0747613, -0.0878366, 0.0973577, -0.1027203, 0.1037005, -0.1004686, 0.0935431,
        -0.0837196, 0.0719602, -0.0592848, 0.0466541, -0.0348847, 0.0245783, -0.0160991, 0.0095707, -0.0049136, 0.0018912, -0.0001763,
        -0.0005939, 0.0007602, -0.0006106, 0.0003539,
    ]

    /// For each pair of taps: its sum at one half, and its sum and its difference at one quarter.
    private static let pairs: [Float] = {
        let (quarter, middle) = (taps(phase: 0.25), taps(phase: 0.5))
        return (0..<half).flatMap { i -> [Float] in
            // Tap i is before the middle, its partner equally far after it.
            let (before, behind) = (half - 1 - i, half + i)
            return [
                Float(middle[before]), Float((quarter[before] + quarter[behind]) / 2),
                Float((quarter[before] - quarter[behind]) / 2),
            ]
        }
    }()
    /// Largest excess of a peak between two samples over the larger one: in relation to the largest second difference
    /// of the samples under the filters, and to the largest of those samples.
    ///
    /// A filter is the sum of a straight line between the two samples, a deviation from 1 at 0 Hz, and a filter of
    /// second differences. The parabola adds at most an eighth of the second difference of the interpolated points.
    private static let excess: (curvature: Float, sample: Float) = {
        let parts = [0.25, 0.5].map { phase -> (curvature: Double, sample: Double) in
            var rest = taps(phase: phase)
            rest[half - 1] -= 1 - phase
            rest[half] -= phase
            let sum = rest.reduce(0, +)
            let moment = rest.indices.reduce(0) { $0 + rest[$1] * Double($1 - (half - 1)) }
            rest[half - 1] -= sum - moment
            rest[half] -= moment
            var (once, twice, curvature) = (0.0, 0.0, 0.0)
            for tap in rest {
                once += tap
                twice += once
                curvature += abs(twice)
            }
            return (curvature, abs(sum - moment) + abs(moment))
        }
        let (quarter, middle) = (parts[0], parts[1])
        return (
            Float(max(quarter.curvature, middle.curvature) + (2 * quarter.curvature + 2 * middle.curvature + 0.25) / 8),
            Float(max(quarter.sample, middle.sample) + (2 * quarter.sample + 2 * middle.sample) / 8 + 1e-5)
        )
    }()

    /// Largest sum of the magnitudes of a filter's taps.
    private static let largestSum = [0.25, 0.5].map { phase in taps(phase: phase).reduce(Float(0)) { $0 + Float(abs($1)) } }.max() ?? 1

    private let found: Row
    private let filter: Row
    private let high: Row
    /// Points at three quarters; the first is that of the sample before the block.
    private let late: Row
    /// Largest value in each sixteen samples, beginning two times sixteen before the block, and a row of second
    /// differences.
    private let largest: Row
    private let largestCurvature: Row
    private let curvature: Float
    private let sample: Float
    /// Largest ratio of a peak to the samples that it depends on.
    let most: Float
    /// Levels near half the rate, left and right.
    private var leftHigh = PeakFollower()
    private var rightHigh = PeakFollower()
    private let pole: LowPass.Coefficients

    init(largestBlock: Int) {
        found = Row(largestBlock)
        filter = Row(3 * Self.half)
        for (i, value) in Self.pairs.enumerated() { filter.samples[i] = value }
        high = Row(Self.highTaps)
        for (i, value) in Self.highPass.enumerated() { high.samples[i] = value }
        late = Row(largestBlock + 64)
        largest = Row(largestBlock / laneCount + 8)
        largestCurvature = Row(largestBlock / laneCount + 8)
        (curvature, sample) = Self.excess
        // A parabola adds at most half of the largest of its three points to the middle one.
        most = 1.5 * Self.largestSum
        pole = .init(pole: rt_exp(-1 / Self.decay))
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        leftHigh.reset()
        rightHigh.reset()
    }

    /// The least-squares approximation to a delay of `phase` samples after tap `half - 1`: a linear system, solved by
    /// elimination.
    private static func taps(phase: Double) -> [Double] {
        let count = 2 * half
        let w = 2 * Double.pi * edge
        func overlap(_ distance: Double) -> Double {
            guard distance != 0 else { return w + weight * (.pi - w) }
            return ((1 - weight) * sin(w * distance) + weight * sin(.pi * distance)) / distance
        }
        var rows = (0..<count).map { i in
            (0..<count).map { overlap(Double(i - $0)) } + [overlap(Double(i - (half - 1)) - phase)]
        }
        for pivot in 0..<count {
            // Positive definite: no pivoting is needed.
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

    /// Sets `row[i]` to the largest magnitude from a quarter before sample i - 16 up to a quarter before the next one.
    ///
    /// - Parameters:
    ///   - left, right: the block, after ``reach`` samples of history and with room for sixteen after it.
    ///   - ceiling: peaks below it need not be found.
    /// - Returns: false when no peak can come near the ceiling; then `row` is 0.
    @_noLocks @_noAllocation
    mutating func find(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, ceiling: Float
    ) -> Bool {
        rt_zero(found.samples, frames &+ laneCount)
        var (leftHigh, rightHigh) = (leftHigh, rightHigh)
        let ceiling = ceiling * Self.nearly
        let isLeft = findSide(left, &leftHigh, frames: frames, ceiling: ceiling)
        let isRight = findSide(right, &rightHigh, frames: frames, ceiling: ceiling)
        (self.leftHigh, self.rightHigh) = (leftHigh, rightHigh)
        return isLeft || isRight
    }

    @_noLocks @_noAllocation
    private func findSide(
        _ samples: UnsafeMutablePointer<Float>, _ high: inout PeakFollower, frames: Int, ceiling: Float
    ) -> Bool {
        guard !(bound(samples, frames: frames) <= ceiling) else {
            high.reset()
            return false
        }
        measure(samples, frames: frames)
        let (tops, curvatures) = (largest.samples, largestCurvature.samples)
        var isFound = false
        var isBefore = false
        var (at, group) = (0, 0)
        while at < frames {
            let top = max(max(tops[group], tops[group &+ 1]), tops[group &+ 2])
            let curved = max(max(curvatures[group], curvatures[group &+ 1]), curvatures[group &+ 2])
            // Between the sixteenth sample before the group and its last one.
            let possible = max(tops[group &+ 1], tops[group &+ 2]) + curvature * curved + sample * top
            if !(possible <= ceiling) {
                if !isBefore { late.samples[at] = threeQuarters(after: samples + (at &- Self.half &- 1)) }
                interpolate(samples + at, at, count: min(laneCount, frames &- at), ceiling: ceiling, &high)
                isFound = true
                isBefore = true
            } else {
                high.reset()
                isBefore = false
            }
            at = at &+ laneCount
            group = group &+ 1
        }
        return isFound
    }

    /// Returns an upper bound of all peaks in the block.
    @_noLocks @_noAllocation
    private func bound(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Float {
        rt_zero(samples + frames, laneCount)
        var (top, bent) = (Lanes.zero, Lanes.zero)
        var at = -2 &* Self.half
        while at < frames {
            let x = samples.lanes(at)
            top = rt_max16(top, rt_abs16(x))
            bent = rt_max16(bent, rt_abs16(x - 2 * samples.lanes(at &- 1) + samples.lanes(at &- 2)))
            at = at &+ laneCount
        }
        let whole = rt_largest16s(top, bent)
        return whole.x + curvature * whole.y + sample * whole.x
    }

    /// Fills ``largest`` and ``largestCurvature``.
    @_noLocks @_noAllocation
    private func measure(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        var at = -2 &* Self.half
        var group = 0
        while at < frames {
            let x = samples.lanes(at)
            let bent = x - 2 * samples.lanes(at &- 1) + samples.lanes(at &- 2)
            let tops = rt_largest16s(rt_abs16(x), rt_abs16(bent))
            largest.samples[group] = tops.x
            largestCurvature.samples[group] = tops.y
            at = at &+ laneCount
            group = group &+ 1
        }
    }

    /// Returns the point three quarters after one sample.
    @_noLocks @_noAllocation
    private func threeQuarters(after here: UnsafeMutablePointer<Float>) -> Float {
        var sum: Float = 0
        for i in 0..<Self.half {
            let (before, behind) = (here[-i], here[1 &+ i])
            sum += (before + behind) * filter.samples[3 &* i &+ 1] - (before - behind) * filter.samples[3 &* i &+ 2]
        }
        return sum
    }

    @_noLocks @_noAllocation @inline(__always)
    private func interpolate(
        _ samples: UnsafeMutablePointer<Float>, _ at: Int, count: Int, ceiling: Float, _ high: inout PeakFollower
    ) {
        // The sample after which points are interpolated, and the next.
        let (here, next) = (samples - Self.half, samples - (Self.half &- 1))
        var (middle, even, odd, rest) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        let oldest = next + (Self.half &- Self.highTaps)
        for i in 0..<Self.highTaps { rest = rt_fma16((oldest + i).lanes(0), rt_all16(self.high.samples[i]), rest) }
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
        let level = high.follow(rt_min16(rt_abs16(rest), rt_all16(Self.highest)), count: count, pole)
        let top = rt_max16(one, two)
        let raised = rt_select_less16(rt_all16(ceiling), top, rt_fma16(level, rt_all16(Self.margin), top), top)
        found.samples.setLanes(at, rt_max16(found.samples.lanes(at), raised))
    }

    /// Returns the magnitude of the vertex of the parabola through three points, where the middle one is an extremum.
    @_noLocks @_noAllocation @inline(__always)
    private func peak(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
        let (rise, fall) = (b - a, b - c)
        let slope = a - c
        let top = b + slope * slope / ((rise + fall) * 8)
        return rt_max16(rt_abs16(b), rt_select_less16(.zero, rise * fall, rt_abs16(top), .zero))
    }
}
