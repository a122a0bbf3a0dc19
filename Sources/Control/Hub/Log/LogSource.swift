/// Cause of a log line: lines of the same cause share a limit.
public struct LogSource: Hashable, Sendable {
    /// Kind of line; raw values are words for the log.
    public enum Kind: String, Sendable {
        case notice = "notices"
        case clamped = "values out of range"
        case unknown = "unknown addresses"
        case malformed = "malformed packets"
    }

    /// Sender of the message that the line is about; nil for the program itself.
    public let client: NetworkAddress?
    public let kind: Kind

    /// - Parameter client: its port is ignored, and so are the last 64 bits of a public IPv6 address, which hosts choose freely.
    public init(_ kind: Kind, client: NetworkAddress? = nil) {
        self.kind = kind
        guard var client else {
            self.client = nil
            return
        }
        client.port = 0
        if !client.isIPv4, !client.isLoopback { for i in 8..<16 { client.bytes[i] = 0 } }
        self.client = client
    }
}
