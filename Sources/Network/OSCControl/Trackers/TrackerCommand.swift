internal import Hub
internal import Pose

/// A command from the control thread to the pose thread.
enum TrackerCommand: Sendable {
    /// Attaches a tracker. The socket is -1 for one that shares the OSC port or is fed by the control thread.
    case attach(number: Int, TrackerFeed, socket: Int32, onOSCPort: Bool)
    case detach(number: Int)
    case settings(number: Int, TrackerSettings)
    case listener(number: Int, Int)
    /// Orientation of the tracker itself, w x y z.
    case pose(number: Int, SIMD4<Float>, receiveTime: UInt64)
    /// A manual change of this listener's head.
    case manual(listener: Int, SIMD4<Float>)
    /// Yaw in degrees that is straight ahead for this listener.
    case front(listener: Int, Float)
    /// A message from another input, to be held until its time, CLOCK_MONOTONIC nanoseconds; it counts against the limit of its owner.
    case hold([UInt8], until: UInt64, owner: NetworkAddress)
}
