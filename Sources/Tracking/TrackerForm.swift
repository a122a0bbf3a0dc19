/// One way in which a tracker writes an orientation: where it stands, in which order, unit, sign and sense.
public struct TrackerForm: Sendable, Equatable {
    /// What one argument is. `number` and `text` stand for what is not an orientation and is not used.
    public enum Field: String, Codable, Sendable {
        case yaw, pitch, roll, w, x, y, z, number, text
        /// Where down is, seen from the tracker, in any unit: an accelerometer at rest.
        case gravityX = "gravity-x"
        case gravityY = "gravity-y"
        case gravityZ = "gravity-z"
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

    /// A packet that is no OSC: a datagram, a line, a message of a device.
    public enum Datagram: String, Codable, Sendable {
        /// 48 bytes: six doubles, little-endian: position x y z, then three angles.
        case opentrack
        /// 50 bytes: a number, flags (1 raw sensors, 2 orientation), twelve floats, little-endian: three angles at
        /// 0, or at 9 behind the raw ones.
        case freePIE
        /// A line of text: as many numbers as the layout has, with anything but digits between them.
        case line
        /// 18 characters without an end: three signed numbers of 6 characters each.
        case eighteen
        /// A system exclusive message of Supperware's Head Tracker 1, without its first and last byte: 00 21 42 40, a kind
        /// (0 angles, 1 a quaternion), then 14 bits a number, the upper 7 first, in 2048ths.
        case supperwareAngles = "supperware-angles"
        case supperwareQuaternion = "supperware-quaternion"
        /// Two bytes of 7 bits a number, the upper first: from -1 to 1.
        case controllers
        /// Numbers of one kind one after the other, perhaps behind others: see ``TrackerForm/offset``, ``TrackerForm/scale``.
        case float32LE = "float32-le"
        case float32BE = "float32-be"
        case float64LE = "float64-le"
        case int16LE = "int16-le"
        case int16BE = "int16-be"
        case int32LE = "int32-le"
        case int32BE = "int32-be"
    }

    /// OSC addresses; `*` stands for any one part. One carries the whole layout; several carry one field each
    /// and are joined.
    public var addresses: [String] = []
    /// Every argument in order. A quaternion has all of w x y z, gravity all of its three; angles that are missing are 0.
    public var layout: [Field]
    public var unit = Unit.degrees
    /// The angles that are positive to the right (yaw), down (pitch) or with the left ear down (roll).
    public var negated: Set<Field> = []
    public var order = EulerOrder.yawPitchRoll
    /// Which component of a quaternion or of gravity belongs to the house's x (front), y (left) and z (up).
    public var axes: [SignedAxis] = [.x, .y, .z]
    public var meaning = Meaning.head
    public var datagram: Datagram?
    /// Bytes before the first number of a datagram of plain numbers.
    public var offset = 0
    /// What its numbers are multiplied by.
    public var scale = 1.0

    public init(
        _ addresses: [String], _ layout: [Field], unit: Unit = .degrees, negated: Set<Field> = [],
        order: EulerOrder = .yawPitchRoll, axes: [SignedAxis] = [.x, .y, .z], meaning: Meaning = .head,
        datagram: Datagram? = nil, offset: Int = 0, scale: Double = 1
    ) {
        self.addresses = addresses
        self.layout = layout
        self.unit = unit
        self.negated = negated
        self.order = order
        self.axes = axes
        self.meaning = meaning
        self.datagram = datagram
        (self.offset, self.scale) = (offset, scale)
    }

    var isQuaternion: Bool { layout.contains(.w) }
    var isGravity: Bool { layout.contains(.gravityX) }
    /// False for what says how the head is tilted and not where it looks.
    public var hasYaw: Bool { isQuaternion || layout.contains(.yaw) }
    /// One field an address.
    var isSplit: Bool { addresses.count > 1 }
}
