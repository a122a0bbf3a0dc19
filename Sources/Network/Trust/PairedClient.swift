/// A browser that was paired by a code and identifies itself with a cookie.
public struct PairedClient: Codable, Equatable, Sendable {
    /// 8 hexadecimal digits; not secret.
    public let id: String
    public let name: String
    public internal(set) var role: AccessRole
    /// Seconds since 1970.
    public let paired: Int
    public internal(set) var seen: Int
    /// SHA-256 of the cookie, so that the file does not grant access.
    let digest: String
}
