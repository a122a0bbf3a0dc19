internal import CRealtime

/// Where a head is going from a pose on: a turn in the head's own axes that begins with the pose.
///
/// Worked out where poses arrive, used where they meet a block: only there it is known how far ahead to look.
public struct PoseCourse: BitwiseCopyable, Sendable, Equatable {
    /// When the head was where the pose says, CLOCK_MONOTONIC nanoseconds; 0 for a pose that goes nowhere.
    public var time: UInt64
    /// Seconds after `time` for which the course is believed. Twice as late nothing is left of it: a tracker that
    /// fell silent may have nothing to say because the head is at rest.
    public var patience: Float
    /// Rotation vectors, radians, radians per second and per second squared: what of the pose was jitter, the head's
    /// speed and its acceleration.
    public var offset: SIMD3<Float>
    public var velocity: SIMD3<Float>
    public var acceleration: SIMD3<Float>

    @_noLocks @_noAllocation
    public init(
        time: UInt64 = 0, patience: Float = 0, offset: SIMD3<Float> = .zero, velocity: SIMD3<Float> = .zero,
        acceleration: SIMD3<Float> = .zero
    ) {
        self.time = time
        self.patience = patience
        self.offset = offset
        self.velocity = velocity
        self.acceleration = acceleration
    }

    /// Radians: no prediction turns a head further.
    private static var furthest: Float { @_noLocks @_noAllocation get { 1 } }

    /// The head, so much later than the pose.
    ///
    /// - Parameters:
    ///   - quaternion: the pose, of length 1.
    ///   - ahead: seconds to look ahead, 0 or more.
    ///   - age: seconds that have passed since `time`.
    /// - Returns: of length 1 within 1e-6.
    @_noLocks @_noAllocation
    public func turned(_ quaternion: SIMD4<Float>, ahead: Float, age: Float) -> SIMD4<Float> {
        guard time != 0 else { return quaternion }
        var turn = offset + (velocity + acceleration * (0.5 * ahead)) * ahead
        var share = age > patience ? max(0, 2 - age / patience) : 1
        let square = (turn * turn).sum()
        if square > Self.furthest { share *= Self.furthest / rt_sqrt(square) }
        turn *= 0.5 * share
        // Sine and cosine of half an angle of at most one: within 2e-7.
        let half = (turn * turn).sum()
        let cosine = 1 - half * (0.5 - half * (1 / 24 - half * (1 / 720)))
        let v = turn * (1 - half * (1 / 6 - half * (1 / 120 - half * (1 / 5040))))
        let (w, x, y, z) = (quaternion[0], quaternion[1], quaternion[2], quaternion[3])
        return SIMD4(
            w * cosine - x * v.x - y * v.y - z * v.z,
            x * cosine + w * v.x + y * v.z - z * v.y,
            y * cosine + w * v.y + z * v.x - x * v.z,
            z * cosine + w * v.z + x * v.y - y * v.x)
    }
}
