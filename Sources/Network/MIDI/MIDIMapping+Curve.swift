internal import Glibc

extension MIDIMapping {
    /// Exponent of the steepest curve.
    private static let steepest: Float = 6

    /// An exponential curve through 0 and 1. The curves of `curve` and `-curve` are each other's mirror image: f(x) of one is 1 - f(1 - x)
    /// of the other. At 1, half of the travel leads to 0.047; at -1, to 0.953.
    ///
    /// - Parameters:
    ///   - share: 0 to 1.
    ///   - curve: -1 to 1; 0 is linear.
    static func curved(_ share: Float, _ curve: Float) -> Float {
        let exponent = curve * steepest
        // Below this the curve equals a line within the precision of a number.
        guard abs(exponent) > 1e-4 else { return share }
        return expm1f(exponent * share) / expm1f(exponent)
    }
}
