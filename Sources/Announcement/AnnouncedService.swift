/// A service that is announced by DNS-SD.
public struct AnnouncedService: Sendable, Equatable {
    /// For example `_osc._udp`.
    public let type: String
    public let port: Int
    /// Lines of the form `key=value`.
    public let text: [String]

    public init(type: String, port: Int, text: [String] = []) {
        self.type = type
        self.port = port
        self.text = text
    }
}
