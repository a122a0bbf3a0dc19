/// A service announced by DNS-SD.
public struct AnnouncedService: Sendable, Equatable {
    /// DNS-SD type, for example `_osc._udp`.
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
