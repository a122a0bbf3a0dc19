/// A port of the ALSA sequencer that sends MIDI messages.
public struct SequencerDevice: Equatable, Sendable {
    public let client: Int32
    public let port: Int32
    /// Names of its client and of the port.
    public let titles: [String]
    /// False for a port of another program.
    public let isHardware: Bool

    /// The name of the client, and that of the port where it differs.
    public var name: String { titles.count == 2 && titles[0] != titles[1] ? "\(titles[0]): \(titles[1])" : titles.first ?? "" }

    /// Whether the name of its client or port contains `name`; case is ignored.
    public func isNamed(_ name: String) -> Bool { titles.contains { $0.lowercased().contains(name.lowercased()) } }
}
