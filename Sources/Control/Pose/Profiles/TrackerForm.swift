/// One format of a tracker's orientation: addresses, layout, order, unit, signs and meaning.
public struct TrackerForm: Sendable, Equatable {
    /// Meaning of one argument. `number` and `text` are arguments that are not used.
    public enum Field: String, Codable, Sendable {
        case yaw, pitch, roll, w, x, y, z, number, text
        /// Direction of gravity seen from the tracker, in any unit: an accelerometer at rest.
        case gravityX = "gravity-x"
        case gravityY = "gravity-y"
        case gravityZ = "gravity-z"
        /// Coordinates of the head, in metres or in another unit; see ``TrackerForm/placeScale``.
        case front = "place-front"
        case left = "place-left"
        case up = "place-up"
    }

    public enum Unit: String, Codable, Sendable {
        case degrees, radians
        /// 0 to 1 for -180 to 180 degrees.
        case normalised
    }

    /// Whether the orientation is that of the head, or that of the scene, which is the exact inverse.
    public enum Meaning: String, Codable, Sendable {
        case head, scene
    }

    /// A packet that is not OSC: a datagram, a line of text or a message of a device.
    public enum Datagram: String, Codable, Sendable {
        /// 48 bytes: six doubles, little-endian: position x y z, then three angles.
        case opentrack
        /// 50 bytes: a number, flags (1 raw sensors, 2 orientation), twelve little-endian floats: three angles at
        /// index 0, or at index 9 after raw sensor data.
        case freePIE
        /// A line of text with as many numbers as the layout has fields, separated by anything but digits.
        case line
        /// 18 characters without a terminator: three signed numbers of 6 characters each.
        case eighteen
        /// System exclusive message of Supperware's Head Tracker 1, without its first and last byte: 00 21 42 40, a kind
        /// (0 angles, 1 a quaternion), then 14 bits per number, the upper 7 first, in units of 1/2048.
        case supperwareAngles = "supperware-angles"
        case supperwareQuaternion = "supperware-quaternion"
        /// Two bytes of 7 bits per number, the upper first, from -1 to 1.
        case controllers
        /// Consecutive binary numbers of one type; see ``TrackerForm/offset`` and ``TrackerForm/scale``.
        case float32LE = "float32-le"
        case float32BE = "float32-be"
        case float64LE = "float64-le"
        case int16LE = "int16-le"
        case int16BE = "int16-be"
        case int32LE = "int32-le"
        case int32BE = "int32-be"
    }

    /// OSC addresses; `*` matches any one part. A single address carries the whole layout; several carry one field each
    /// and are joined.
    public var addresses: [String] = []
    /// All arguments in order. A quaternion needs w, x, y and z, gravity all three components; missing angles are 0.
    public var layout: [Field]
    public var unit = Unit.degrees
    /// Angles with the opposite sign: positive to the right (yaw), down (pitch) or with the left ear down (roll); coordinates that are
    /// positive to the back, to the right or down.
    public var negated: Set<Field> = []
    public var order = EulerOrder.yawPitchRoll
    /// Components of a quaternion or of gravity that correspond to Vestibule's x (front), y (left) and z (up).
    public var axes: [SignedAxis] = [.x, .y, .z]
    public var meaning = Meaning.head
    public var datagram: Datagram?
    /// Number of bytes before the first number of a binary datagram.
    public var offset = 0
    /// Factor applied to the numbers of a binary datagram.
    public var scale = 1.0
    /// Metres in one unit of the coordinates.
    public var placeScale = 1.0

    public init(
        _ addresses: [String], _ layout: [Field], unit: Unit = .degrees, negated: Set<Field> = [],
        order: EulerOrder = .yawPitchRoll, axes: [SignedAxis] = [.x, .y, .z], meaning: Meaning = .head,
        datagram: Datagram? = nil, offset: Int = 0, scale: Double = 1, placeScale: Double = 1
    ) {
        self.addresses = addresses
        self.layout = layout
        self.unit = unit
        self.negated = negated
        self.order = order
        self.axes = axes
        self.meaning = meaning
        self.datagram = datagram
        (self.offset, self.scale, self.placeScale) = (offset, scale, placeScale)
    }

    var isQuaternion: Bool { layout.contains(.w) }
    var isGravity: Bool { layout.contains(.gravityX) }
    /// Whether the form contains yaw; false for tilt alone.
    public var hasYaw: Bool { isQuaternion || layout.contains(.yaw) }
    /// Whether each address carries one field.
    var isSplit: Bool { addresses.count > 1 }
}

extension TrackerForm.Field {
    static let quaternion: [Self] = [.w, .x, .y, .z]
    static let place: [Self] = [.front, .left, .up]
    static let gravity: [Self] = [.gravityX, .gravityY, .gravityZ]
}

/// One component of a sender's quaternion, optionally negated.
public enum SignedAxis: String, Codable, Sendable {
    case x, y, z
    case minusX = "-x"
    case minusY = "-y"
    case minusZ = "-z"

    /// Index of the component: 0, 1 or 2.
    var index: Int {
        switch self {
        case .x, .minusX: 0
        case .y, .minusY: 1
        case .z, .minusZ: 2
        }
    }

    var sign: Double {
        switch self {
        case .x, .y, .z: 1
        case .minusX, .minusY, .minusZ: -1
        }
    }
}
