/// What is wrong or doubtful about what a tracker sent.
public enum TrackerProblem: Equatable, Sendable, CustomStringConvertible {
    case count(expected: Int, found: Int)
    case notANumber
    case notFinite
    case noRotation
    case datagram(length: Int)
    /// Taken as declared: degrees may be meant, but a guess would turn heads by itself.
    case degreesForRadians(Double)
    case outsideNormalised(Double)
    /// Taken with length 1.
    case length(Double)

    public var description: String {
        switch self {
        case .count(let expected, let found): "\(expected) arguments are needed, \(found) came"
        case .notANumber: "a number is needed where something else came"
        case .notFinite: "a number that is not finite was refused"
        case .noRotation: "a quaternion of no length was refused"
        case .datagram(let length): "a datagram of \(length) bytes is not of this form"
        case .degreesForRadians(let value): "\(value) is more than a turn in radians; does it send degrees?"
        case .length(let length):
            "a quaternion of length \(Float(length)) was taken as one of length 1; are these w x y z in this order?"
        case .outsideNormalised(let value): "\(value) is outside 0 to 1; does it send degrees?"
        }
    }
}
