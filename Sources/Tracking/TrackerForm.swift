/// One way in which a tracker writes an orientation: where it stands, in which order, unit, sign and sense.
public struct TrackerForm: Sendable, Equatable {
    /// What one argument is. `number` and `text` stand for what is not an orientation and is not used.
    public enum Field: String, Codable, Sendable {
        case yaw, pitch, roll, w, x, y, z, number, text
    }

    public enum Unit: String, Codable, Sendable {
        case degrees, radians
        /// 0 to 1 for -180 to 180 degrees.
        case normalised
    }

    /// Whether the head's orientation is written, or that of the scene around it, which is the exact inverse.
    public enum Meaning: String, Codable, Sendable {
        case head, scene
    }

    /// A raw datagram instead of OSC.
    public enum Datagram: String, Codable, Sendable {
        /// 48 bytes: six doubles, little-endian: position x y z, then three angles.
        case opentrack
        /// 50 bytes: a number, flags (1 raw sensors, 2 orientation), twelve floats, little-endian: three angles at
        /// 0, or at 9 behind the raw ones.
        case freePIE
    }

    /// OSC addresses; `*` stands for any one part. One carries the whole layout; several carry one field each
    /// and are joined.
    public var addresses: [String] = []
    /// Every argument in order. A quaternion has all of w x y z; angles that are missing are 0.
    public var layout: [Field]
    public var unit = Unit.degrees
    /// The angles that are positive to the right (yaw), down (pitch) or with the left ear down (roll).
    public var negated: Set<Field> = []
    public var order = EulerOrder.yawPitchRoll
    /// Which component of a quaternion turns about the house's x (front), y (left) and z (up).
    public var axes: [SignedAxis] = [.x, .y, .z]
    public var meaning = Meaning.head
    public var datagram: Datagram?

    public init(
        _ addresses: [String], _ layout: [Field], unit: Unit = .degrees, negated: Set<Field> = [],
        order: EulerOrder = .yawPitchRoll, axes: [SignedAxis] = [.x, .y, .z], meaning: Meaning = .head,
        datagram: Datagram? = nil
    ) {
        self.addresses = addresses
        self.layout = layout
        self.unit = unit
        self.negated = negated
        self.order = order
        self.axes = axes
        self.meaning = meaning
        self.datagram = datagram
    }

    var isQuaternion: Bool { layout.contains(.w) }
    /// One field an address.
    var isSplit: Bool { addresses.count > 1 }
}

extension TrackerForm: Codable {
    private enum Key: String, CodingKey {
        case addresses, layout, unit, negated, order, axes, meaning, datagram
    }

    /// What is left out has its default.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let addresses = try values.decodeIfPresent([String].self, forKey: .addresses) ?? []
        let layout = try values.decode([Field].self, forKey: .layout)
        let axes = try values.decodeIfPresent([SignedAxis].self, forKey: .axes) ?? [.x, .y, .z]
        let datagram = try values.decodeIfPresent(Datagram.self, forKey: .datagram)
        func fail(_ key: Key, _ reason: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: values, debugDescription: reason)
        }
        let fields = Set(layout)
        guard fields.isSuperset(of: [.w, .x, .y, .z]) || !fields.isDisjoint(with: [.yaw, .pitch, .roll]) else {
            throw fail(.layout, "a layout needs w, x, y and z, or one of yaw, pitch and roll")
        }
        let used = layout.filter { $0 != .number && $0 != .text }
        guard Set(used).count == used.count else { throw fail(.layout, "a field stands twice") }
        guard datagram != nil ? addresses.isEmpty : addresses.count == 1 || addresses.count == layout.count else {
            throw fail(.addresses, "one address for the whole layout, one for each field, or none for a datagram")
        }
        guard datagram == nil || layout.count == datagram?.count else {
            throw fail(.layout, "this datagram holds \(datagram?.count ?? 0) numbers")
        }
        guard Set(axes.map(\.index)).count == 3, axes.count == 3 else {
            throw fail(.axes, "three axes are needed, each of x, y, z once")
        }
        self.init(
            addresses, layout, unit: try values.decodeIfPresent(Unit.self, forKey: .unit) ?? .degrees,
            negated: try values.decodeIfPresent(Set<Field>.self, forKey: .negated) ?? [],
            order: try values.decodeIfPresent(EulerOrder.self, forKey: .order) ?? .yawPitchRoll, axes: axes,
            meaning: try values.decodeIfPresent(Meaning.self, forKey: .meaning) ?? .head, datagram: datagram)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(addresses, forKey: .addresses)
        try values.encode(layout, forKey: .layout)
        try values.encode(unit, forKey: .unit)
        try values.encode(negated.sorted { $0.rawValue < $1.rawValue }, forKey: .negated)
        try values.encode(order, forKey: .order)
        try values.encode(axes, forKey: .axes)
        try values.encode(meaning, forKey: .meaning)
        try values.encodeIfPresent(datagram, forKey: .datagram)
    }
}
