internal import CRealtime
internal import DSP

/// Mean of a curve over the step from one sample to the next, used as the output of the later one: antiderivative antialiasing (Parker,
/// Zavalishin and Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time convolution", DAFx 2016).
struct StepMean: BitwiseCopyable {
    /// Size of a step below which its middle is used instead of its mean, since the quotient of two small differences is not exact.
    private static var smallest: Float { @_noLocks @_noAllocation @inline(__always) get { 0.015 } }

    private let curve: AntiderivativeCurve
    private var last: Lanes
    private var lastRest: Lanes

    /// - Parameter before: the sample before the first.
    @_noLocks @_noAllocation @inline(__always)
    init(_ curve: AntiderivativeCurve, before: Lanes) {
        self.curve = curve
        last = before
        lastRest = curve.rest(before)
    }

    /// Advances to a sample.
    @_noLocks @_noAllocation @inline(__always)
    mutating func next(_ x: Lanes) -> Lanes {
        let rest = curve.rest(x)
        let middle = curve.value((last + x) * 0.5)
        let change = (rt_abs16(x) - rt_abs16(last)) + (rest - lastRest)
        let step = x - last
        (last, lastRest) = (x, rest)
        let isSmall = rt_all16(Self.smallest) - rt_abs16(step)
        let safe = rt_select_less16(.zero, isSmall, rt_all16(1), step)
        return rt_select_less16(.zero, isSmall, middle, change / safe)
    }
}
