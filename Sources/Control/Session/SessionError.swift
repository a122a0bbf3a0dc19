/// An error in a session or rack file: where it is, what is wrong, and what to do.
public struct SessionError: Error, CustomStringConvertible, Equatable {
    public let path: String
    /// Line, counted from 1; nil for the whole file.
    public let line: Int?
    /// Name of a field, or an address.
    public let field: String?
    public let reason: String
    public let remedy: String
    /// Kind of the file.
    public var subject = "session"

    public var description: String {
        let place = path + (line.map { ":\($0)" } ?? "")
        return "\(subject) \(place): " + (field.map { "\"\($0)\": " } ?? "") + reason + "; " + remedy
    }
}
