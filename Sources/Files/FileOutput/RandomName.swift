/// Names that no other file or run has: 64 random bits. They grant nothing; texts that do are a `Secret`.
public enum RandomName {
    /// Up to 13 lower-case letters and digits.
    public static func make() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }
}
