/// What a kind of tracker sends, as data: its forms and port, and how sure that is.
public struct TrackerProfile: Sendable, Equatable {
    /// Where signs, orders and units come from. All but the first two are defaults to be checked by a gesture.
    public enum Evidence: String, Codable, Sendable {
        /// Read in the sender's or receiver's source.
        case code
        case documentation
        /// Computed from the source's matrices.
        case derived
        /// Only what others wrote about it.
        case thirdParty = "third-party"
        /// Common knowledge, not checked.
        case general
    }

    /// What brings its packets.
    public enum Transport: String, Codable, Sendable {
        case udp, serial, midi, bluetooth
        /// The hub: a page in a browser.
        case web
    }

    /// For the command line: small letters, digits, hyphens.
    public var name: String
    /// For a person.
    public var title: String
    /// The UDP port that its senders use by default; nil when there is none.
    public var port: UInt16?
    public var evidence: Evidence
    /// What a person has to know; may be empty.
    public var note: String
    /// The first is the one that is written.
    public var forms: [TrackerForm]
    public var transport = Transport.udp
    /// How its device is called by default, or a part of that: a file, a MIDI client, a Bluetooth name.
    public var device: String?
    /// Bits a second of a serial line.
    public var baud: Int?
    /// UUID of the Bluetooth characteristic that notifies poses.
    public var characteristic: String?

    public init(
        _ name: String, _ title: String, port: UInt16?, _ evidence: Evidence, _ note: String = "",
        _ forms: [TrackerForm]
    ) {
        self.name = name
        self.title = title
        self.port = port
        self.evidence = evidence
        self.note = note
        self.forms = forms
    }

    /// The profile of that name; capitals do not count.
    public static func named(_ name: String) -> TrackerProfile? { table.first { $0.name == name.lowercased() } }

    /// Whether these bytes are a packet of it that is no OSC.
    public func isPacket(_ bytes: UnsafeRawBufferPointer) -> Bool { forms.contains { $0.numbers(bytes) != nil } }

    /// Whether it comes as datagrams that are no OSC.
    public var isRaw: Bool { forms.contains { $0.datagram != nil } }
}
