internal import Glibc

/// Roll and pitch of a head that is measured.
public struct HeadTilt: Sendable, Equatable {
    /// Degrees to the right.
    public let roll: Double
    /// Degrees up.
    public let pitch: Double

    public init(roll: Double, pitch: Double = 0) {
        self.roll = roll
        self.pitch = pitch
    }

    /// Returns the angle between the direction of a left ear, or of a right one, and that of a source in the horizontal plane, degrees.
    ///
    /// - Parameter azimuth: of the source from the head's yaw, degrees.
    func angle(isLeft: Bool, azimuth: Double) -> Double {
        let (roll, pitch, azimuth) = (roll * .pi / 180, pitch * .pi / 180, azimuth * .pi / 180)
        // The left ear's direction in the head is (0, 1, 0); it is rolled first, then pitched.
        let side = isLeft ? 1.0 : -1
        let (ahead, left) = (-side * sin(roll) * sin(pitch), side * cos(roll))
        return acos(max(-1, min(1, ahead * cos(azimuth) + left * sin(azimuth)))) * 180 / .pi
    }
}
