internal import Synchronization
internal import Tracking

/// What the pose thread has seen of one tracker; any thread may read it.
public final class TrackerStatus: Sendable {
    public struct Reading: Sendable, Equatable {
        /// Poses since it was attached.
        public var poses = 0
        /// When the newest was received, CLOCK_MONOTONIC nanoseconds; 0 for none.
        public var receiveTime: UInt64 = 0
        /// The head by this tracker, w x y z, whether it turns it or not.
        public var head = SIMD4<Float>(1, 0, 0, 0)
        /// The tracker without any map, and in which of its profile's forms it came.
        public var raw = SIMD4<Float>(1, 0, 0, 0)
        public var form = 0
        /// Whether it turns the head: of several, the last that moved does.
        public var isInCharge = false
        /// Whether the head has left its last pose for home.
        public var isHome = false
        /// Degrees that drift correction has added.
        public var correction = 0.0
        /// What is wrong or doubtful about what it sends, in words.
        public var problem = ""
    }

    private let value = Mutex(Reading())

    init() {}

    public var reading: Reading { value.withLock { $0 } }

    func change(_ body: (inout Reading) -> Void) { value.withLock { body(&$0) } }
}
