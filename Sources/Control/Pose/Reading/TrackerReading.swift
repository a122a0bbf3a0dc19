/// Result of reading one packet of a tracker.
public struct TrackerReading: Equatable, Sendable {
    /// Head orientation, w x y z; nil when the packet was refused or more axes are needed.
    public var pose: SIMD4<Float>?
    /// Orientation without the user's axis map, for calibration.
    public var raw: SIMD4<Float>?
    /// Place of the head in the tracker's space, metres to the front, to the left and up; nil when the packet has none.
    public var place: SIMD3<Float>?
    /// Index of the packet's form in the profile.
    public var form = 0
    /// Reason for the refusal or, together with a pose, a warning.
    public var problem: TrackerProblem?
    /// Whether the profile has the address.
    public var isKnown = true

    static let foreign = TrackerReading(isKnown: false)
    static func refused(_ problem: TrackerProblem) -> TrackerReading { TrackerReading(problem: problem) }
}
