internal import Glibc

/// Order in which three angles turn a head. Turns are intrinsic: each is about an axis moved by the turns before it.
///
/// Signs: yaw positive to the left, pitch up, roll with the right ear down.
public enum EulerOrder: String, Codable, Sendable, CaseIterable {
    case yawPitchRoll = "ypr"
    case yawRollPitch = "yrp"
    case pitchYawRoll = "pyr"
    case pitchRollYaw = "pry"
    case rollYawPitch = "ryp"
    case rollPitchYaw = "rpy"

    /// Axis numbers in the order of the turns: x front 0, y left 1, z up 2.
    private var axes: (first: Int, second: Int, third: Int) {
        switch self {
        case .yawPitchRoll: (2, 1, 0)
        case .yawRollPitch: (2, 0, 1)
        case .pitchYawRoll: (1, 2, 0)
        case .pitchRollYaw: (1, 0, 2)
        case .rollYawPitch: (0, 2, 1)
        case .rollPitchYaw: (0, 1, 2)
        }
    }

    /// - Parameter angles: yaw, pitch, roll in radians.
    /// - Returns: w x y z, head to world.
    public func quaternion(_ angles: SIMD3<Double>) -> SIMD4<Double> {
        let (first, second, third) = axes
        let turns = Self.turns(angles)
        return Rotation.product(
            Rotation.product(Rotation.about(first, turns[first]), Rotation.about(second, turns[second])),
            Rotation.about(third, turns[third]))
    }

    /// Returns yaw, pitch and roll in radians; the second turn is within a quarter turn. At the poles, where
    /// only the sum or difference of the other two is defined, the result is still the same rotation.
    public func angles(_ quaternion: SIMD4<Double>) -> SIMD3<Double> {
        let (i, j, k) = axes
        let even: Double = (j - i + 3) % 3 == 1 ? 1 : -1
        func column(_ axis: Int, _ q: SIMD4<Double>) -> SIMD3<Double> {
            var unit = SIMD3<Double>.zero
            unit[axis] = 1
            return Rotation.turn(unit, by: q)
        }
        let last = column(k, quaternion)
        let first = atan2(-even * last[j], last[k])
        // With the first turn undone, the other two can be read separately.
        let rest = Rotation.product(Rotation.about(i, -first), quaternion)
        var turns = SIMD3<Double>.zero
        turns[i] = first
        turns[j] = atan2(even * column(k, rest)[i], column(k, rest)[k])
        turns[k] = atan2(even * column(i, rest)[j], column(j, rest)[j])
        return Self.turns(turns)
    }

    /// Converts yaw, pitch and roll to right-handed turns about x, y and z. Upward pitch is a negative turn about y.
    private static func turns(_ angles: SIMD3<Double>) -> SIMD3<Double> { SIMD3(angles.z, -angles.y, angles.x) }
}
