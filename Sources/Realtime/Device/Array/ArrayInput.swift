/// The source of a live microphone array: `alsa:NAME`, `jack[:CLIENT]` or `file:PATH`.
public enum ArrayInput: Equatable, Sendable, CustomStringConvertible {
    /// A sound card with an ALSA name.
    case alsa(String)
    /// The output ports of a JACK client; nil for the inputs of the server's sound card.
    case jack(String?)
    /// A sound file that is fed in real time, in a loop, as though a converter had recorded it.
    case file(String)

    /// Parses a source.
    /// - Throws: ``DeviceError`` that states the notation.
    public init(_ text: String) throws(DeviceError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? String(parts[1]) : nil
        switch (parts[0], rest) {
        case ("alsa", let name?) where !name.isEmpty: self = .alsa(name)
        case ("jack", nil): self = .jack(nil)
        case ("jack", let client?) where !client.isEmpty: self = .jack(client)
        case ("file", let path?) where !path.isEmpty: self = .file(path)
        default:
            throw DeviceError(
                "There is no array \"\(text)\". Write alsa:NAME for a sound card (`vestibule devices` lists them), jack for the inputs of "
                    + "the JACK server, jack:CLIENT for the ports of one of its clients, or file:PATH for a sound file.")
        }
    }

    public var description: String {
        switch self {
        case .alsa(let name): "alsa:\(name)"
        case .jack(nil): "jack"
        case .jack(let client?): "jack:\(client)"
        case .file(let path): "file:\(path)"
        }
    }
}

extension ArrayInput {
    /// Checks that an array and a live input can be recorded at once: hardware is opened by one of them only.
    /// - Throws: ``DeviceError`` that explains how both can be recorded.
    public func check(beside input: DeviceInput?) throws(DeviceError) {
        guard case .alsa(let array) = self, case .alsa(let other) = input, let card = Self.hardware(array), card == Self.hardware(other)
        else { return }
        throw DeviceError(
            "The array and the live input cannot both open alsa:\(array), a hardware device that can be opened only once. Record both by "
                + "JACK (--array jack --input jack --device jack), by ALSA's dsnoop (--array alsa:dsnoop:\(card) "
                + "--input alsa:dsnoop:\(card)), or from two cards.")
    }

    /// The card of a name that opens hardware: `1,0` of `hw:1,0` and of `plughw:1,0`; nil for other names.
    private static func hardware(_ name: String) -> Substring? {
        let parts = name.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, ["hw", "plughw"].contains(parts[0]) else { return nil }
        return parts[1].hasSuffix(",0") ? parts[1].dropLast(2) : parts[1]
    }
}

/// A live array that the playing device records as well, in the same blocks.
public struct DeviceArray: Equatable, Sendable {
    /// The client whose ports are recorded; nil for the inputs of the sound card.
    public let client: String?
    /// The channels of the microphones; nil for all inputs.
    public let channels: ArrayChannels?

    public init(client: String?, channels: ArrayChannels?) {
        self.client = client
        self.channels = channels
    }
}
