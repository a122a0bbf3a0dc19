internal import CRealtime
internal import DSP

/// Mean of a curve over each step between samples that follow each other, which stands for the later sample: antiderivative
/// antialiasing (Parker, Zavalishin and Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time
/// convolution", DAFx 2016).
///
/// The curve's antiderivative is the sample's magnitude and a rest, which is small, so that its rounding is small as well.
struct StepMean: BitwiseCopyable {
    /// Steps below it are averaged by their middle, since the quotient of two small differences is not exact.
    private static var smallest: Float { @_noLocks @_noAllocation @inline(__always) get { 0.015 } }

    private var last: Lanes
    private var lastRest: Lanes

    /// - Parameters:
    ///   - before: the sample before the first.
    ///   - rest: the rest at that sample.
    @_noLocks @_noAllocation @inline(__always)
    init(before: Lanes, rest: Lanes) {
        last = before
        lastRest = rest
    }

    /// Middle of the step to a sample.
    @_noLocks @_noAllocation @inline(__always)
    func middle(_ x: Lanes) -> Lanes { (last + x) * 0.5 }

    /// Advances to a sample.
    ///
    /// - Parameters:
    ///   - rest: the rest at `x`.
    ///   - middle: the curve at ``middle(_:)``.
    @_noLocks @_noAllocation @inline(__always)
    mutating func next(_ x: Lanes, rest: Lanes, middle: Lanes) -> Lanes {
        let change = (rt_abs16(x) - rt_abs16(last)) + (rest - lastRest)
        let step = x - last
        (last, lastRest) = (x, rest)
        let isSmall = rt_all16(Self.smallest) - rt_abs16(step)
        let safe = rt_select_less16(.zero, isSmall, rt_all16(1), step)
        return rt_select_less16(.zero, isSmall, middle, change / safe)
    }
}
