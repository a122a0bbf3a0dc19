internal import CALSA

/// Whether the live input's device shares the clock of the output device.
public enum InputClock: String, CaseIterable, Sendable {
    /// Determined from the cards of both devices.
    case auto
    /// The same clock: every recorded block is played.
    case same
    /// Another clock: the input is resampled.
    case own

    /// Whether the input is recorded by a device of its own instead of the one that plays.
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

    /// Number of the card of an ALSA device; nil for none, and for a device that cannot be opened.
    private static func card(_ name: String, _ direction: ALSAHandle.Direction) -> Int? {
        guard let handle = try? ALSAHandle(name, direction: direction) else { return nil }
        var facts: OpaquePointer?
        guard snd_pcm_info_malloc(&facts) >= 0 else { return nil }
        defer { snd_pcm_info_free(facts) }
        guard snd_pcm_info(handle.pcm, facts) >= 0 else { return nil }
        let number = snd_pcm_info_get_card(facts)
        return number < 0 ? nil : Int(number)
    }
}
