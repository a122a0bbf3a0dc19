internal import Glibc

extension ParameterSpec {
    /// The value as the realtime side uses it: decibels as a factor, everything else as it is.
    /// The lowest value of a gain in decibels is silence.
    public func engineValue(_ value: Float) -> Float {
        guard unit == .decibel else { return value }
        return value <= range.lowerBound ? 0 : powf(10, value / 20)
    }
}
