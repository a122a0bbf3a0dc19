/// Assignment of a tracker's axes to the head's, with optional inversion of each.
public struct AxisMap: Sendable, Equatable {
    /// The tracker's angles that become the head's yaw, pitch and roll, in this order.
    public enum Order: Int, Sendable, CaseIterable {
        case yawPitchRoll, yawRollPitch, pitchYawRoll, pitchRollYaw, rollYawPitch, rollPitchYaw

        /// Indices of the tracker's angles: 0 yaw, 1 pitch, 2 roll.
        var sources: [Int] {
            switch self {
            case .yawPitchRoll: [0, 1, 2]
            case .yawRollPitch: [0, 2, 1]
            case .pitchYawRoll: [1, 0, 2]
            case .pitchRollYaw: [1, 2, 0]
            case .rollYawPitch: [2, 0, 1]
            case .rollPitchYaw: [2, 1, 0]
            }
        }
    }

    public var order = Order.yawPitchRoll
    public var invertsYaw = false
    public var invertsPitch = false
    public var invertsRoll = false

    public static let identity = AxisMap()

    public init(_ order: Order = .yawPitchRoll, yaw: Bool = false, pitch: Bool = false, roll: Bool = false) {
        self.order = order
        (invertsYaw, invertsPitch, invertsRoll) = (yaw, pitch, roll)
    }

    /// All possible maps.
    static var all: [AxisMap] {
        Order.allCases.flatMap { order in
            (0..<8).map { AxisMap(order, yaw: $0 & 1 != 0, pitch: $0 & 2 != 0, roll: $0 & 4 != 0) }
        }
    }

    private var signs: SIMD3<Double> { SIMD3(invertsYaw ? -1 : 1, invertsPitch ? -1 : 1, invertsRoll ? -1 : 1) }

    /// Maps yaw, pitch and roll in any unit, for trackers that send angles.
    func angles(_ angles: SIMD3<Double>) -> SIMD3<Double> {
        let sources = order.sources
        return signs * SIMD3(angles[sources[0]], angles[sources[1]], angles[sources[2]])
    }

    /// Maps a rotation axis: x front, y left, z up. Upward pitch is a negative turn about the axis that points left.
    func axis(_ axis: SIMD3<Double>) -> SIMD3<Double> {
        let turned = angles(SIMD3(axis.z, -axis.y, axis.x))
        return SIMD3(turned.z, -turned.y, turned.x)
    }

    /// Maps a quaternion, for trackers that send these: a rotation of the whole frame, mirrored where the axes of this
    /// map are left-handed.
    func quaternion(_ q: SIMD4<Double>) -> SIMD4<Double> {
        let turned = axis(SIMD3(q[1], q[2], q[3]))
        return SIMD4(q[0], turned.x, turned.y, turned.z)
    }

    /// Whether the map preserves handedness; false for one that mirrors.
    var isRightHanded: Bool {
        let (x, y, z) = (axis(SIMD3(1, 0, 0)), axis(SIMD3(0, 1, 0)), axis(SIMD3(0, 0, 1)))
        let cross = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        return (cross * z).sum() > 0
    }
}

extension AxisMap: CustomStringConvertible {
    /// Text such as "yaw from -pitch, pitch from yaw, roll from roll".
    public var description: String {
        let names = order.sources.map { ["yaw", "pitch", "roll"][$0] }
        func word(_ index: Int, _ isInverted: Bool) -> String { (isInverted ? "-" : "") + names[index] }
        return "yaw from \(word(0, invertsYaw)), pitch from \(word(1, invertsPitch)), roll from \(word(2, invertsRoll))"
    }
}
