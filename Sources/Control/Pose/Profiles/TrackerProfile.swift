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

extension TrackerProfile: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case name, title, port, evidence, note, forms, transport, device, baud, characteristic
    }

    /// Only the name and the forms are required.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseOthers(than: Key.allCases.map(\.rawValue))
        let values = try decoder.container(keyedBy: Key.self)
        name = try values.decode(String.self, forKey: .name)
        title = try values.decodeIfPresent(String.self, forKey: .title) ?? name
        port = try values.decodeIfPresent(UInt16.self, forKey: .port)
        evidence = try values.decodeIfPresent(Evidence.self, forKey: .evidence) ?? .general
        note = try values.decodeIfPresent(String.self, forKey: .note) ?? ""
        forms = try values.decode([TrackerForm].self, forKey: .forms)
        transport = try values.decodeIfPresent(Transport.self, forKey: .transport) ?? .udp
        attachment = try values.decodeIfPresent(String.self, forKey: .device)
        baud = try values.decodeIfPresent(Int.self, forKey: .baud)
        characteristic = try values.decodeIfPresent(String.self, forKey: .characteristic)
        func fail(_ key: Key, _ reason: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: values, debugDescription: reason)
        }
        guard !name.isEmpty, !name.contains(where: { ":@/ ".contains($0) }) else {
            throw fail(.name, "the name must not be empty or contain spaces, colons, slashes or @")
        }
        guard !forms.isEmpty else { throw fail(.forms, "at least one form is required") }
        guard Set(forms.map { $0.datagram != nil }).count == 1 else {
            throw fail(.forms, "a profile cannot combine OSC and other datagrams")
        }
        guard transport == .udp || isRaw else { throw fail(.transport, "a device does not send OSC; each form needs a datagram format") }
        guard transport != .bluetooth || characteristic != nil else {
            throw fail(.transport, "a Bluetooth profile requires the UUID of a characteristic")
        }
        guard transport != .web else { throw fail(.transport, "profiles cannot use the web transport; use the built-in profile named web") }
        guard baud.map({ $0 > 0 }) != false else { throw fail(.baud, "the bit rate must be greater than 0") }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        try values.encode(title, forKey: .title)
        try values.encodeIfPresent(port, forKey: .port)
        try values.encode(evidence, forKey: .evidence)
        try values.encode(note, forKey: .note)
        try values.encode(forms, forKey: .forms)
        if transport != .udp { try values.encode(transport, forKey: .transport) }
        try values.encodeIfPresent(attachment, forKey: .device)
        try values.encodeIfPresent(baud, forKey: .baud)
        try values.encodeIfPresent(characteristic, forKey: .characteristic)
    }
}
