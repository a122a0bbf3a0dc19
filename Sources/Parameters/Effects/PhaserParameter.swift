/// Notches that wander and are not harmonic.
public enum PhaserParameter: Int, ParameterGroup {
    case stages, rate, frequency, depth, feedback, phase, mix

    public static let container = "/slot/{n}/phaser"
    public static let summary = "Notches that wander and are not harmonic."

    public var spec: ParameterSpec {
        switch self {
        case .stages: .count("Stages", 2...12, initial: 6, "How many allpass sections; two make a notch.")
        case .rate: .pitch("Rate", 0.05...5, initial: 0.4, "How often the sweep comes round.")
        case .frequency: .pitch("Frequency", 100...5000, initial: 800, "Middle of the sweep.")
        case .depth: .amount("Depth", 0...3, initial: 1.5, "Octaves that the sweep goes up and down.")
        case .feedback: .share("Feedback", -0.9...0.9, initial: 0.3, "Share that is fed back; negative, turned over.")
        case .phase: .turn("Phase", initial: 60, "How far the right side is ahead.")
        case .mix: .share("Mix", initial: 0.5, "Share of the chain; notches are deepest at a half.")
        }
    }
}
