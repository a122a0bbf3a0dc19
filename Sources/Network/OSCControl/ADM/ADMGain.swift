internal import Glibc
internal import Parameters

/// Converts between ADM-OSC's gain, an unlimited factor from 0, and decibels, where the minimum is silence.
enum ADMGain {
    /// - Parameter spec: the gain parameter, in decibels.
    /// - Returns: decibels, no less than the minimum. The parameter itself limits the maximum.
    static func decibels(_ factor: Float, _ spec: ParameterSpec) -> Float {
        factor <= 0 ? spec.range.lowerBound : max(20 * log10f(factor), spec.range.lowerBound)
    }

    /// - Returns: the linear gain factor that is applied.
    static func factor(_ decibels: Float, _ spec: ParameterSpec) -> Float { spec.engineValue(decibels) }
}
