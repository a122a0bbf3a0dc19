internal import OSCControl
internal import Pose

/// A tracker with its source, its link and its statistics.
struct AttachedTracker {
    let source: TrackerSource
    let status: TrackerStatus
    /// UDP port; 0 for a tracker without one.
    let port: UInt16
    let link: (any TrackerLink)?
    var guide: CalibrationGuide?
    /// Number of poses at the previous report and its time in CLOCK_MONOTONIC nanoseconds, from which the rate follows.
    var counted: (poses: Int, at: UInt64)

    /// The source in full: with the port that was found free, and with the whole path of a profile.
    var name: String { source.description(port: port) }

    /// Whether the tracker occupies a place that two trackers cannot share.
    func holds(_ place: TrackerSource.Place) -> Bool {
        switch place {
        case .port(let wanted): wanted != 0 && wanted == port
        case .attached: link != nil
        case .oscPort, .web: false
        }
    }
}
