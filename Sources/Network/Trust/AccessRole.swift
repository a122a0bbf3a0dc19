/// Permissions of a client.
public enum AccessRole: String, Sendable, Codable, CaseIterable {
    /// To read values and to listen.
    case view
    /// To read, listen and change values.
    case control
}
