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
