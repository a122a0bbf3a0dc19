/// Whether the device of a live input or of a live array shares the clock of the output device.
public enum InputClock: String, CaseIterable, Sendable {
    /// Determined from the cards of both devices.
    case auto
    /// The same clock: every recorded block is played.
    case same
    /// Another clock: the input is resampled.
    case own

    /// Whether the input is recorded by its own device instead of the one that plays.
    ///
    /// Two ALSA names of one card have the same clock, and so have two that belong to no card: plugins of one sound server.
    public func isOwn(_ input: DeviceInput, beside device: DeviceSpecification) -> Bool {
        guard case .alsa(let source) = input else { return false }
        guard case .alsa(let name) = device else {
            if case .file = device { return false }
            return true
        }
        switch self {
        case .same: return false
        case .own: return true
        case .auto: return source != name && Self.card(source, .capture) != Self.card(name, .playback)
        }
    }

    /// Whether a source that has a recorder of its own moves together with the device that plays, so that nothing is resampled.
    ///
    /// - Parameter source: name and card of the source.
    public func isShared(_ source: DeviceClock, with device: DeviceClock) -> Bool {
        guard device.isSoundDevice else { return false }
        switch self {
        case .same: return true
        case .own: return false
        // Two names without a card may be two cards of one sound server.
        case .auto: return source.isJACK && device.isJACK || source.name == device.name || source.card != nil && source.card == device.card
        }
    }

    /// Number of the card of an ALSA device; nil for none, and for a device that cannot be opened.
    private static func card(_ name: String, _ direction: ALSAHandle.Direction) -> Int? {
        (try? ALSAHandle(name, direction: direction))?.card
    }
}

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
