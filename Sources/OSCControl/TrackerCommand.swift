internal import Tracking

/// What the control thread tells the pose thread about trackers.
enum TrackerCommand: Sendable {
    /// With the socket that its datagrams come from; -1 for one that shares the OSC port or is fed by the control thread.
    case attach(slot: Int, TrackerFeed, socket: Int32, onOSCPort: Bool)
    case detach(slot: Int)
    case settings(slot: Int, TrackerSettings)
    case listener(slot: Int, Int)
    /// A pose of the tracker itself, w x y z.
    case pose(slot: Int, SIMD4<Float>, receiveTime: UInt64)
    /// A hand has turned this listener's head.
    case manual(listener: Int, SIMD4<Float>)
    /// Degrees: the yaw of this listener's straight ahead.
    case front(listener: Int, Float)
    /// One message that came elsewhere, until its time, CLOCK_MONOTONIC nanoseconds.
    case hold([UInt8], until: UInt64)
}
