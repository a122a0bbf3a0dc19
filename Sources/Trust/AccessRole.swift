/// What somebody may do who has shown a token.
public enum AccessRole: String, Sendable, Codable, CaseIterable {
    /// Read, listen, hear.
    case view
    /// All of that, and change things.
    case control
}
