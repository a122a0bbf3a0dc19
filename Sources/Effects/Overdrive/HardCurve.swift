internal import CRealtime
internal import DSP

/// Samples that follow each other, clipped, averaged over each step: linear up to 0.75, constant from 1.25.
struct HardCurve: BitwiseCopyable {
    /// Half the width of the parabolic corner around full scale.
    private static var corner: Float { @_noLocks @_noAllocation @inline(__always) get { 0.25 } }

    private var mean: StepMean

    /// - Parameter before: the sample before the first.
    @_noLocks @_noAllocation @inline(__always)
    init(before: Lanes) { mean = StepMean(before: before, rest: Self.rest(before)) }

    @_noLocks @_noAllocation @inline(__always)
    mutating func next(_ x: Lanes) -> Lanes { mean.next(x, rest: Self.rest(x), middle: Self.clipped(mean.middle(x))) }

    @_noLocks @_noAllocation @inline(__always)
    private static func clipped(_ x: Lanes) -> Lanes {
        let size = rt_min16(rt_abs16(x), rt_all16(1 + corner))
        let over = rt_max16(size - (1 - corner), .zero)
        let y = rt_fma16(over * over, rt_all16(-0.25 / corner), size)
        return rt_select_less16(x, .zero, -y, y)
    }

    /// Antiderivative of the clipped sample, without |x|.
    @_noLocks @_noAllocation @inline(__always)
    private static func rest(_ x: Lanes) -> Lanes {
        let inside = rt_min16(rt_abs16(x), rt_all16(1 + corner))
        let over = rt_max16(inside - (1 - corner), .zero)
        return rt_fma16(inside * 0.5, inside, -inside) - over * over * over * (1 / (12 * corner))
    }
}
