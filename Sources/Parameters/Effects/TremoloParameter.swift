/// Loudness that rises and falls.
public enum TremoloParameter: Int, ParameterGroup {
    case rate, depth, shape, phase

    public static let container = "/slot/{n}/tremolo"
    public static let summary = "Loudness that rises and falls."

    public var spec: ParameterSpec {
        switch self {
        case .rate: .pitch("Rate", 0.5...100, initial: 5, "How often.")
        case .depth: .share("Depth", initial: 0.7, "How much is lost at the quietest.")
        case .shape: .share("Shape", initial: 0, "From a sine to a square.")
        case .phase: .turn("Phase", initial: 0, "How far the right side is ahead.")
        }
    }
}
