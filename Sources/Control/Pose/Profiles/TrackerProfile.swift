/// Data format of a kind of tracker: its forms, its port, and how certain the sign conventions are.
public struct TrackerProfile: Sendable, Equatable {
    /// Source of the sign conventions, orders and units. All but the first two should be checked by moving the tracker.
    public enum Evidence: String, Codable, Sendable {
        /// From the sender's or receiver's source code.
        case code
        case documentation
        /// Derived from matrices in source code.
        case derived
        /// From third-party descriptions only.
        case thirdParty = "third-party"
        /// Common knowledge, not verified.
        case general
    }

    /// Transport of the packets.
    public enum Transport: String, Codable, Sendable {
        case udp, serial, midi, bluetooth
        /// A page in a browser, through the hub.
        case web
    }

    /// Name on the command line: lower-case letters, digits and hyphens.
    public var name: String
    /// Display name.
    public var title: String
    /// Default UDP port of its senders; nil when there is none.
    public var port: UInt16?
    public var evidence: Evidence
    /// Note for the user; may be empty.
    public var note: String
    /// The formats it may be received in. The first is used for sending.
    public var forms: [TrackerForm]
    public var transport = Transport.udp
    /// Default place of the tracker: a file, a MIDI client or a Bluetooth name, or a part of it.
    public var attachment: String?
    /// Bit rate of a serial line.
    public var baud: Int?
    /// UUID of the Bluetooth characteristic that sends poses as notifications.
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

    /// Returns the built-in profile of a name, ignoring case.
    public static func named(_ name: String) -> TrackerProfile? { table.first { $0.name == name.lowercased() } }

    /// Returns whether these bytes are a non-OSC packet of this profile.
    public func isPacket(_ bytes: UnsafeRawBufferPointer) -> Bool { forms.contains { $0.numbers(bytes) != nil } }

    /// Whether its packets are not OSC.
    public var isRaw: Bool { forms.contains { $0.datagram != nil } }
}
