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
