internal import CRealtime

/// Predicted motion of a head after a pose: a rotation in the head's own axes that begins with the pose.
///
/// It is estimated on the thread that receives poses and evaluated on the audio thread, where the time until
/// a block is heard is known.
public struct PoseTrajectory: BitwiseCopyable, Sendable, Equatable {
    /// Time of the pose, CLOCK_MONOTONIC nanoseconds; 0 for a pose without a trajectory.
    public var time: UInt64
    /// Seconds after `time` for which the trajectory holds. It fades out over as many seconds again: a tracker that has
    /// fallen silent may have nothing to report because the head is at rest.
    public var validity: Float
    /// Rotation vector that removes the pose's jitter, radians.
    public var offset: SIMD3<Float>
    /// Angular velocity, radians per second.
    public var velocity: SIMD3<Float>
    /// Angular acceleration, radians per second squared.
    public var acceleration: SIMD3<Float>

    @_noLocks @_noAllocation
    public init(
        time: UInt64 = 0, validity: Float = 0, offset: SIMD3<Float> = .zero, velocity: SIMD3<Float> = .zero,
        acceleration: SIMD3<Float> = .zero
    ) {
        self.time = time
        self.validity = validity
        self.offset = offset
        self.velocity = velocity
        self.acceleration = acceleration
    }

    /// Largest angle, in radians, by which a prediction turns a head.
    private static var largestTurn: Float { @_noLocks @_noAllocation get { 1 } }

    /// Returns the predicted head orientation, a unit quaternion within 1e-6.
    ///
    /// - Parameters:
    ///   - quaternion: the pose, of length 1.
    ///   - ahead: seconds to look ahead, 0 or greater.
    ///   - age: seconds that have passed since `time`.
    @_noLocks @_noAllocation
    public func predicted(_ quaternion: SIMD4<Float>, ahead: Float, age: Float) -> SIMD4<Float> {
        guard time != 0 else { return quaternion }
        var turn = offset + (velocity + acceleration * (0.5 * ahead)) * ahead
        var share = age > validity ? max(0, 2 - age / validity) : 1
        let square = (turn * turn).sum()
        if square > Self.largestTurn { share *= Self.largestTurn / rt_sqrt(square) }
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
