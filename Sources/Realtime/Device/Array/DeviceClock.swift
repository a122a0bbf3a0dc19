/// The clock of a device: its name, and its card where it has one.
public struct DeviceClock: Equatable, Sendable {
    public let name: String
    /// Number of the card; nil for the timer, a file, JACK, and the plugins of sound servers.
    public let card: Int?

    public init(_ name: String, card: Int?) { (self.name, self.card) = (name, card) }

    var isJACK: Bool { name == "jack" || name.hasPrefix("jack:") }

    /// Whether a sound card is the clock, as with neither the timer nor a file.
    var isSoundDevice: Bool { isJACK || name.hasPrefix("alsa:") }
}
