/// An error or a suspicious value in the data of a tracker.
public enum TrackerProblem: Equatable, Sendable, CustomStringConvertible {
    case count(expected: Int, found: Int)
    case notANumber
    case notFinite
    case noRotation
    case datagram(length: Int)
    /// Interpreted as radians. The sender may mean degrees, but converting on suspicion could turn heads unexpectedly.
    case degreesForRadians(Double)
    case outsideNormalised(Double)
    /// Normalised to length 1.
    case length(Double)

    public var description: String {
        switch self {
        case .count(let expected, let found): "expected \(counted(expected, "argument")), received \(found)"
        case .notANumber: "an argument is not a number"
        case .notFinite: "an argument is infinite or not a number; the pose was dropped"
        case .noRotation: "the quaternion has zero length; the pose was dropped"
        case .datagram(let length): "a datagram of \(counted(length, "byte")) does not match this format"
        case .degreesForRadians(let value): "\(value) radians is more than a full turn; does the tracker send degrees?"
        case .length(let length):
            "a quaternion of length \(Float(length)) was normalised to length 1; check that the order is w x y z"
        case .outsideNormalised(let value): "\(value) is outside 0 to 1; does the tracker send degrees?"
        }
    }
}
