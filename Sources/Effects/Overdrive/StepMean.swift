internal import CRealtime
internal import DSP

/// Mean of a curve between two neighbouring samples, which stands for the second one: antiderivative antialiasing (Parker,
/// Zavalishin and Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time convolution", DAFx 2016).
enum StepMean {
    /// Steps below it are averaged by their middle, since the quotient of two small differences is not exact.
    private static var smallest: Float { @_noLocks @_noAllocation @inline(__always) get { 0.015 } }

    /// - Parameters:
    ///   - step: difference of the samples.
    ///   - change: difference of the curve's antiderivative.
    ///   - middle: the curve between the samples.
    @_noLocks @_noAllocation @inline(__always)
    static func mean(step: Lanes, change: Lanes, middle: Lanes) -> Lanes {
        let isSmall = rt_all16(smallest) - rt_abs16(step)
        let safe = rt_select_less16(.zero, isSmall, rt_all16(1), step)
        return rt_select_less16(.zero, isSmall, middle, change / safe)
    }
}
