/// One service that others may find by DNS-SD.
public struct AnnouncedService: Sendable, Equatable {
    /// As `_osc._udp`.
    public let type: String
    public let port: Int
    /// `key=value`.
    public let text: [String]

    public init(type: String, port: Int, text: [String] = []) {
        self.type = type
        self.port = port
        self.text = text
    }
}
