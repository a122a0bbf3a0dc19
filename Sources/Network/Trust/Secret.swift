internal import CCertificate

/// Random texts that grant access.
public enum Secret {
    /// 32 hexadecimal digits, 128 bits of the kernel's random numbers.
    public static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return Digest.hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Compares two texts in a time that depends on their lengths only.
    public static func equal(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count, !one.isEmpty else { return false }
        return certificate_equal(one, other, Int32(one.count)) == 1
    }
}
