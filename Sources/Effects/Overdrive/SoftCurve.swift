internal import CRealtime
internal import DSP

/// tanh of samples that follow each other, averaged over each step.
struct SoftCurve: BitwiseCopyable {
    private var last: Lanes
    private var lastRest: Lanes

    /// - Parameter before: the sample before the first.
    @_noLocks @_noAllocation @inline(__always)
    init(before: Lanes) {
        last = before
        lastRest = Self.rest(before)
    }

    /// ln cosh x is |x| - ln 2 and this rest, which is small, so that its rounding is small as well.
    @_noLocks @_noAllocation @inline(__always)
    private static func rest(_ x: Lanes) -> Lanes {
        rt_log2_16(rt_exp2_16(rt_abs16(x) * -2.8853901) + 1) * 0.6931472
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func next(_ x: Lanes) -> Lanes {
        let rest = Self.rest(x)
        let mean = StepMean.mean(
            step: x - last, change: (rt_abs16(x) - rt_abs16(last)) + (rest - lastRest), middle: rt_tanh16((last + x) * 0.5))
        (last, lastRest) = (x, rest)
        return mean
    }
}
