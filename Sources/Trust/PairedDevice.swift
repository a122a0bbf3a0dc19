/// A browser that has been let in by a pairing code and comes back with a cookie.
public struct PairedDevice: Codable, Equatable, Sendable {
    /// 8 hexadecimal digits; no secret.
    public let id: String
    public let name: String
    public internal(set) var role: AccessRole
    /// Seconds since 1970.
    public let paired: Int
    public internal(set) var seen: Int
    /// SHA-256 of the cookie: who reads the file cannot come in by it.
    let digest: String
}
