/// Angles in degrees that go round, as people and files give them.
public enum Turns {
    /// Largest magnitude that is taken for an angle; anything beyond is an error of who or what wrote it.
    public static let largest = 1e6
    /// That range in words.
    public static let range = "-1000000 to 1000000 degrees"

    /// The same direction within -180...180 degrees; nil for an angle beyond ``largest`` and for NaN.
    public static func wrapped(_ degrees: Double) -> Double? {
        guard abs(degrees) <= largest else { return nil }
        return abs(degrees) <= 180 ? degrees : degrees - 360 * (degrees / 360).rounded()
    }
}
