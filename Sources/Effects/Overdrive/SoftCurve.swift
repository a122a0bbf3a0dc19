internal import CRealtime
internal import DSP

/// tanh of samples that follow each other, averaged over each step.
struct SoftCurve: BitwiseCopyable {
    private var mean: StepMean

    /// - Parameter before: the sample before the first.
    @_noLocks @_noAllocation @inline(__always)
    init(before: Lanes) { mean = StepMean(before: before, rest: Self.rest(before)) }

    @_noLocks @_noAllocation @inline(__always)
    mutating func next(_ x: Lanes) -> Lanes { mean.next(x, rest: Self.rest(x), middle: rt_tanh16(mean.middle(x))) }

    /// ln cosh x is |x| - ln 2 and this rest.
    @_noLocks @_noAllocation @inline(__always)
    private static func rest(_ x: Lanes) -> Lanes {
        rt_log2_16(rt_exp2_16(rt_abs16(x) * -2.8853901) + 1) * 0.6931472
    }
}
