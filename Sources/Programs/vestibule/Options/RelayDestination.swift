import Pose

/// A destination of a listener's poses, and the format to send them in.
struct RelayDestination {
    let profile: TrackerProfile
    let host: String
    let port: UInt16
    /// Counted from 1.
    let listener: Int
}
