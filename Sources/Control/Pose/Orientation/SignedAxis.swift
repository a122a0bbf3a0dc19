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
