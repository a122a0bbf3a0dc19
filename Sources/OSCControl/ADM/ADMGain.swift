internal import Glibc
internal import Parameters

/// ADM-OSC's gain is a factor, 0 or more without an upper end; the house's is in decibels, of which the lowest are silence.
enum ADMGain {
    /// - Parameter spec: of a gain in decibels.
    /// - Returns: decibels; what is quieter than the lowest is the lowest, which is silence, and too loud is left to the parameter.
    static func decibels(_ factor: Float, _ spec: ParameterSpec) -> Float {
        factor <= 0 ? spec.range.lowerBound : max(20 * log10f(factor), spec.range.lowerBound)
    }

    /// - Returns: the factor that is heard.
    static func factor(_ decibels: Float, _ spec: ParameterSpec) -> Float { spec.engineValue(decibels) }
}
