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
