internal import CRealtime
internal import DSP

/// A one-pole low-pass for sixteen frames at a time, with gain 1 at 0 Hz.
struct LowPass: BitwiseCopyable, Sendable {
    /// Coefficients for one cutoff frequency: the pole and its powers.
    struct Coefficients: BitwiseCopyable, Sendable {
        let pole: Float
        private let gain: Lanes
        /// First, second, fourth and eighth power of the pole, as `rt_scan16` requires.
        private let power1: Lanes
        private let power2: Lanes
        private let power4: Lanes
        private let power8: Lanes
        /// Powers 1 to 16 of the pole.
        private let powers: Lanes

        /// - Parameter pole: 0 (everything passes) to 1 (nothing passes).
        @_noLocks @_noAllocation
        init(pole: Float) {
            self.pole = pole
            gain = rt_all16(1 - pole)
            let (p2, p4) = (pole * pole, pole * pole * pole * pole)
            let p8 = p4 * p4
            let quad = SIMD4(pole, p2, p2 * pole, p4)
            let eight = SIMD8(lowHalf: quad, highHalf: quad * p4)
            powers = Lanes(lowHalf: eight, highHalf: eight * p8)
            power1 = rt_select_less16(rt_all16(1), Ramp.count, rt_all16(pole), .zero)
            power2 = rt_select_less16(rt_all16(2), Ramp.count, rt_all16(p2), .zero)
            power4 = rt_select_less16(rt_all16(4), Ramp.count, rt_all16(p4), .zero)
            power8 = rt_select_less16(rt_all16(8), Ramp.count, rt_all16(p8), .zero)
        }

        /// A filter with -3 dB at `cutoff` Hz, exact up to a third of the rate.
        @_noLocks @_noAllocation
        init(cutoff: Float, rate: Float) { self.init(pole: Self.pole(cutoff: cutoff, rate: rate)) }

        @_noLocks @_noAllocation
        static func pole(cutoff: Float, rate: Float) -> Float {
            let c = 2 - rt_cos(2 * .pi * min(cutoff / rate, 0.5))
            return c - rt_sqrt(c * c - 1)
        }

        /// A filter that decays to 1/e in `seconds`.
        @_noLocks @_noAllocation
        init(seconds: Float, rate: Float) { self.init(pole: rt_exp(-1 / max(1, seconds * rate))) }

        /// Decay of 1 after 1 to 16 frames.
        var decay: Lanes { @_noLocks @_noAllocation @inline(__always) get { powers } }

        /// y[n] = max(x[n], pole y[n - 1]) over sixteen frames.
        @_noLocks @_noAllocation @inline(__always)
        func peaks(_ x: Lanes, after previous: Lanes) -> Lanes {
            rt_max16(powers * previous, rt_peaks16(x, power1, power2, power4, power8))
        }

        /// y[n] = (1 - pole) x[n] + pole y[n - 1] over sixteen frames; `previous` has the preceding y in every lane.
        @_noLocks @_noAllocation @inline(__always)
        func run(_ x: Lanes, after previous: Lanes) -> Lanes {
            rt_fma16(powers, previous, rt_scan16(x * gain, power1, power2, power4, power8))
        }
    }

    private var previous = Lanes.zero

    @_noLocks @_noAllocation @inline(__always)
    init() {}

    @_noLocks @_noAllocation @inline(__always)
    mutating func reset() { previous = .zero }

    /// - Parameter count: number of valid frames among the sixteen.
    @_noLocks @_noAllocation @inline(__always)
    mutating func lowPass(_ x: Lanes, count: Int, _ coefficients: Coefficients) -> Lanes {
        let y = coefficients.run(x, after: previous)
        previous = count == laneCount ? rt_last16(y) : rt_all16(y[count &- 1])
        return y
    }
}
