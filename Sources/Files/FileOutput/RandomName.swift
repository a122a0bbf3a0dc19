/// Names that no other file or run has: 64 random bits. They are not credentials; a `Secret` is.
public enum RandomName {
    /// Up to 13 lower-case letters and digits.
    public static func make() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }
}
