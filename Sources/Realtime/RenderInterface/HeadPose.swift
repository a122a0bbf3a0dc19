internal import CRealtime

/// A head pose on its way to a listener.
public struct HeadPose: BitwiseCopyable, Sendable, Equatable {
    /// The thread that sent the pose.
    public enum Origin: UInt8, BitwiseCopyable, Sendable { case network, control }

    /// Unit quaternion in the lanes w x y z, rotating head coordinates into world coordinates.
    public var quaternion: SIMD4<Float>
    /// Metres from the listener's place in the world: front, left, up.
    public var place: SIMD3<Float>
    /// Number of the pose, counted over the whole program; 0 is the initial pose, which no client sent.
    public var id: UInt64
    /// Time at which the kernel received it, CLOCK_MONOTONIC nanoseconds.
    public var receiveTime: UInt64
    /// Time at which the sender sampled it, on this machine's CLOCK_MONOTONIC in nanoseconds; 0 when unknown.
    public var senderTime: UInt64
    public var origin: Origin
    /// Nanoseconds since the same tracker's previous pose; 0 for the first one and after a pause.
    public var interval: UInt32
    /// Predicted motion after the pose.
    public var trajectory: PoseTrajectory

    @_noLocks @_noAllocation
    public init(
        quaternion: SIMD4<Float>, place: SIMD3<Float> = .zero, id: UInt64, receiveTime: UInt64, senderTime: UInt64 = 0,
        origin: Origin = .network, interval: UInt32 = 0, trajectory: PoseTrajectory = .init()
    ) {
        self.quaternion = quaternion
        self.place = place
        self.id = id
        self.receiveTime = receiveTime
        self.senderTime = senderTime
        self.origin = origin
        self.interval = interval
        self.trajectory = trajectory
    }

    /// The initial pose: looking straight ahead.
    public static var ahead: HeadPose {
        @_noLocks @_noAllocation get { HeadPose(quaternion: .init(1, 0, 0, 0), id: 0, receiveTime: 0) }
    }
}

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
