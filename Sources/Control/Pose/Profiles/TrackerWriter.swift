public import Parameters

/// Writes poses in a profile's format: the inverse of ``TrackerReader``.
public struct TrackerWriter: Sendable {
    private let form: TrackerForm

    /// - Parameter form: index of the profile's form; the first is the default.
    public init(_ profile: TrackerProfile, form: Int = 0) {
        self.form = profile.forms[form]
    }

    /// - Parameter head: w x y z, head to world.
    /// - Returns: one packet, or one for each axis; none when the quaternion is not a rotation.
    public func packets(_ head: SIMD4<Float>) -> [TrackerPacket] {
        guard let unit = Rotation.unit(SIMD4<Double>(head)) else { return [] }
        let values = form.values(unit)
        if form.datagram != nil { return [.datagram(form.bytes(values))] }
        let arguments = zip(form.layout, values).map { field, value in
            field == .text ? Argument.string("head") : .float(Float(value))
        }
        let addresses = form.addresses.map { address in
            address.split(separator: "/").map { "/" + ($0 == "*" ? "vestibule" : $0) }.joined()
        }
        if form.isSplit { return zip(addresses, arguments).map { .message(address: $0, arguments: [$1]) } }
        return [.message(address: addresses[0], arguments: arguments)]
    }
}

/// A packet with a pose: an OSC message or a raw datagram.
public enum TrackerPacket: Equatable, Sendable {
    case message(address: String, arguments: [Argument])
    case datagram([UInt8])
}
