internal import Pose
internal import Synchronization

/// State of one tracker as seen by the pose thread. Any thread may read it.
public final class TrackerStatus: Sendable {
    public struct Reading: Sendable, Equatable {
        /// Number of poses since the tracker was attached.
        public var poses = 0
        /// Receive time of the newest pose, CLOCK_MONOTONIC nanoseconds; 0 before the first.
        public var receiveTime: UInt64 = 0
        /// Head orientation according to this tracker, w x y z, even while another source controls the head.
        public var head = SIMD4<Float>(1, 0, 0, 0)
        /// Tracker orientation before axis mapping, and the index of its form in the profile.
        public var raw = SIMD4<Float>(1, 0, 0, 0)
        public var form = 0
        /// Place of the head in the tracker's space, metres.
        public var place = SIMD3<Float>.zero
        /// Whether this tracker controls the head: among several, the last that moved does.
        public var isInCharge = false
        /// Whether the head is returning to the front, or has returned, because the tracker is silent.
        public var isHome = false
        /// Yaw in degrees that was straight ahead when the head was read, without the correction.
        public var centre = 0.0
        /// Accumulated drift correction in degrees.
        public var correction = 0.0
        /// Description of the current problem with the received data; empty for none.
        public var problem = ""
    }

    private let value = Mutex(Reading())

    init() {}

    public var reading: Reading { value.withLock { $0 } }

    func change(_ body: (inout Reading) -> Void) { value.withLock { body(&$0) } }
}
