/// A comb whose notches wander.
public enum FlangerParameter: Int, ParameterGroup {
    case rate, reach, delay, feedback, phase, mix

    public static let container = "/slot/{n}/flanger"
    public static let summary = "A comb whose notches wander."

    public var spec: ParameterSpec {
        switch self {
        case .rate: .pitch("Rate", 0.1...2, initial: 0.3, "How often the sweep comes round.")
        case .reach: .time("Reach", 0...10, initial: 4, "Between the longest and the shortest delay.")
        case .delay: .time("Delay", 0.1...5, initial: 0.5, "The shortest delay.")
        case .feedback:
            .share("Feedback", -0.95...0.95, initial: 0.4, "Share that is fed back; negative, turned over.")
        case .phase: .turn("Phase", initial: 90, "How far the right side is ahead.")
        case .mix: .share("Mix", initial: 0.5, "Share of the delayed sound.")
        }
    }
}
