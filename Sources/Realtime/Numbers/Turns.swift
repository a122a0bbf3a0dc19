/// Circular angles in degrees, as people and files give them.
public enum Turns {
    /// Largest magnitude that is accepted as an angle; a larger number is considered an error.
    public static let largest = 1e6
    /// The range in words.
    public static let range = "-1000000 to 1000000 degrees"

    /// The same direction within -180...180 degrees; nil for an angle beyond ``largest`` and for NaN.
    public static func wrapped(_ degrees: Double) -> Double? {
        guard abs(degrees) <= largest else { return nil }
        return abs(degrees) <= 180 ? degrees : degrees - 360 * (degrees / 360).rounded()
    }
}
