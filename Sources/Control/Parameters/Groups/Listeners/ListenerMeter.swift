/// Levels of one listener's ears, and the weight of each microphone in them.
public enum ListenerMeter: Int, ParameterGroup {
    case peak, rms, lowWeight, highWeight, reduction

    public static let container = "/meter/listener/{n}"
    public static let summary = "Levels of the ears as they are heard, linear; the limiter's part; the weight of each microphone."
    public static var topic: Topic? { .head }

    private static let ears = ["left", "right"]

    public var spec: ParameterSpec {
        switch self {
        case .peak:
            .vector(
                "Ear peaks", Self.ears, 0...16, initial: [0, 0], unit: .linearGain,
                "Largest sample after the limiter since the last report.", access: .read, role: .earPeak)
        case .rms:
            .vector(
                "Ear RMS", Self.ears, 0...16, initial: [0, 0], unit: .linearGain, "RMS level after the limiter since the last report.",
                access: .read, role: .earRMS)
        case .lowWeight:
            .list(
                "Low weights", -2...2, unit: .linearGain,
                "Weight of every microphone below the crossover: first for the left ear, then for the right.",
                role: .lowWeight)
        case .highWeight:
            .list(
                "High weights", -2...2, unit: .linearGain,
                "Weight of every microphone above the crossover: first for the left ear, then for the right.",
                role: .highWeight)
        case .reduction:
            .gauge(
                "Limiting", 0...90, unit: .decibel,
                "Largest gain reduction by the limiter before this listener's ears since the last report.", role: .earReduction)
        }
    }
}
