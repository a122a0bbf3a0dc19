/// What became of one packet of a tracker.
public struct TrackerReading: Equatable, Sendable {
    /// The head, w x y z; nil when nothing came of it, or when other axes are still to come.
    public var pose: SIMD4<Float>?
    /// The same without the user's axis map, for calibration.
    public var raw: SIMD4<Float>?
    /// Which of the profile's forms it came in.
    public var form = 0
    /// Why it was refused, or, with a pose, what is doubtful.
    public var problem: TrackerProblem?
    /// False when the profile does not know the address.
    public var isKnown = true

    static let waiting = TrackerReading()
    static let foreign = TrackerReading(isKnown: false)
    static func refused(_ problem: TrackerProblem) -> TrackerReading { TrackerReading(problem: problem) }
}
