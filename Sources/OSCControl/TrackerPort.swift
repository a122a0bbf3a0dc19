public import Tracking

/// One tracker: the profile it speaks, and the listener whose head it turns.
///
/// Served by the pose thread on a socket of its own.
public struct TrackerPort: Sendable {
    public var profile: TrackerProfile
    /// 0 takes any free one.
    public var port: UInt16
    /// From 1.
    public var listener: Int

    public init(_ profile: TrackerProfile, port: UInt16, listener: Int) {
        self.profile = profile
        self.port = port
        self.listener = listener
    }
}
