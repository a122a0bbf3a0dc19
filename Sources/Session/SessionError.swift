/// Why a session or rack file was not taken: where, what is wrong, and what would be right.
public struct SessionError: Error, CustomStringConvertible, Equatable {
    public let path: String
    /// Counted from 1; nil when the whole file is meant.
    public let line: Int?
    /// The field's name, or an address.
    public let field: String?
    public let reason: String
    public let remedy: String
    /// What kind of file it is.
    public var subject = "session"

    public var description: String {
        let place = path + (line.map { ":\($0)" } ?? "")
        return "\(subject) \(place): " + (field.map { "\"\($0)\": " } ?? "") + reason + "; " + remedy
    }
}
