public import Pose

/// A tracker on a UDP port: its profile and the listener whose head it controls.
///
/// The pose thread serves it on a dedicated socket.
public struct TrackerPort: Sendable {
    public var profile: TrackerProfile
    /// UDP port; 0 selects any free one.
    public var port: UInt16
    /// Listener number, from 1.
    public var listener: Int

    public init(_ profile: TrackerProfile, port: UInt16, listener: Int) {
        self.profile = profile
        self.port = port
        self.listener = listener
    }
}
