import Tracking

/// Where the poses of a listener go, and in which form.
struct RelayDestination {
    let profile: TrackerProfile
    let host: String
    let port: UInt16
    /// From 1.
    let listener: Int
}
