internal import Files
internal import Parameters
internal import Rack

/// The listeners of the sound device in a session, which may be more than the engine that opens it has.
extension SessionFile {
    /// Number of listeners of the sound device that the session was saved with. For files that do not state it, the highest number of a
    /// listener that the file has values for; only listeners on the network have names there, and are not counted.
    public var deviceListeners: Int {
        listeners ?? Self.deviceListeners(Set(snapshot.parameters.keys).union(snapshot.unknown.keys), racks: snapshot.racks.keys)
    }

    /// Number of listeners of the sound device in a file, without the check that loading it makes.
    /// - Returns: nil for a file that cannot be read.
    public static func deviceListeners(inFile path: String) -> Int? {
        guard let text = try? RegularFile.text(path), let document = try? LocatedJSON(text), case .object(let fields) = document.value
        else { return nil }
        func names(_ field: String) -> [String] {
            guard case .object(let members)? = fields.first(where: { $0.name == field })?.value.value else { return [] }
            return members.map(\.name)
        }
        if case .number(let number)? = fields.first(where: { $0.name == "listeners" })?.value.value, let whole = Int(checked: number) {
            return min(max(whole, 1), ListenerLimits.wired)
        }
        return deviceListeners(Set(names("parameters")), racks: names("racks"))
    }

    private static func deviceListeners(_ addresses: Set<String>, racks: some Sequence<String>) -> Int {
        let numbers = addresses.compactMap(listener) + racks.compactMap { listener("/" + $0) }
        return numbers.filter { $0 <= ListenerLimits.wired && !addresses.contains(ListenerParameter.name.address($0 - 1)) }.max() ?? 1
    }

    /// The number of the listener that an address or a rack belongs to.
    private static func listener(_ address: String) -> Int? {
        let parts = address.split(separator: "/", maxSplits: 2)
        return parts.count > 1 && parts[0] == "listener" ? Int(parts[1]) : nil
    }

    /// Removes and returns the values of listeners of the sound device that the engine does not have, so that no listener on the network
    /// with the same number receives them.
    /// - Parameter count: number of listeners that the device has.
    public mutating func takeListeners(beyond count: Int) -> Snapshot {
        var absent = Snapshot()
        let last = deviceListeners
        guard last > count else { return absent }
        func isAbsent(_ address: String) -> Bool { Self.listener(address).map { (count + 1...last).contains($0) } ?? false }
        absent.parameters = snapshot.parameters.filter { isAbsent($0.key) }
        absent.racks = snapshot.racks.filter { isAbsent("/" + $0.key) }
        absent.unknown = snapshot.unknown.filter { isAbsent($0.key) }
        for address in absent.parameters.keys { snapshot.parameters[address] = nil }
        for name in absent.racks.keys { snapshot.racks[name] = nil }
        for address in absent.unknown.keys { snapshot.unknown[address] = nil }
        return absent
    }
}

extension Snapshot {
    /// Adds the values of another snapshot that this one lacks.
    public mutating func add(_ other: Snapshot) {
        parameters.merge(other.parameters) { own, _ in own }
        racks.merge(other.racks) { own, _ in own }
        unknown.merge(other.unknown) { own, _ in own }
    }
}
