internal import CCertificate

/// Hash values.
public enum Digest {
    /// SHA-256, 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CERTIFICATE_DIGEST_SIZE))
        certificate_digest(bytes, Int32(bytes.count), &digest)
        return digest
    }

    /// Hexadecimal digits, two per byte.
    public static func hexadecimal(_ bytes: [UInt8], separator: String = "", isUppercase: Bool = false) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: isUppercase) }.joined(separator: separator)
    }
}
