internal import CWebSockets
internal import Glibc

/// The two secrets of a server that others can reach: one lets in to look and listen, the other to control.
public struct AccessTokens: Sendable {
    /// 32 hexadecimal digits, 128 random bits.
    public let control: String
    /// As ``control``.
    public let view: String

    /// Of the kernel's random numbers.
    public static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    public init(control: String = random(), view: String = random()) {
        self.control = control
        self.view = view
    }

    /// Who shows this token; nil for nobody. Takes as long for a wrong token as for the right one.
    func role(_ token: String) -> AccessRole? {
        let isControl = Self.equal(token, control)
        let isView = Self.equal(token, view)
        return isControl ? .control : isView ? .view : nil
    }

    /// Compares in a time that depends on the lengths alone.
    static func equal(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count, !one.isEmpty else { return false }
        return lws_timingsafe_bcmp(one, other, UInt32(one.count)) == 0
    }
}
