/// A sound that a participant compares with the reference.
public enum TestStimulus: Sendable, Equatable, Codable {
    /// The reference itself, not named as such.
    case hiddenReference
    /// The reference low-passed at a frequency, hertz.
    case anchor(Double)
    /// An interpolation method.
    case method(String)

    /// Name in the results.
    public var name: String {
        switch self {
        case .hiddenReference: "reference"
        case .anchor(let edge): "anchor-\(Int(clamping: edge))"
        case .method(let name): name
        }
    }

    /// Part in the test, for the results.
    public var role: String {
        switch self {
        case .hiddenReference: "hidden-reference"
        case .anchor: "anchor"
        case .method: "condition"
        }
    }
}
