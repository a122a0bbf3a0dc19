internal import OSCControl
internal import Pose

/// One tracker of the desk, from the moment it has a source.
struct AttachedTracker {
    let source: TrackerSource
    let status: TrackerStatus
    /// 0 when it has no UDP port.
    let port: UInt16
    let link: (any TrackerLink)?
    var guide: CalibrationGuide?
    /// For the rate: poses counted when it was last looked at, and when, CLOCK_MONOTONIC nanoseconds.
    var counted: (poses: Int, at: UInt64)

    /// The source written out: with the port that was found free, with the whole path of a profile.
    var name: String { source.description(port: port) }

    /// Whether nobody else can have that place while this tracker has it.
    func holds(_ place: TrackerSource.Place) -> Bool {
        switch place {
        case .port(let wanted): wanted != 0 && wanted == port
        case .device: link != nil
        case .oscPort, .web: false
        }
    }
}
