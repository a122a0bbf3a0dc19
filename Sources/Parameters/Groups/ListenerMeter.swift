/// Levels of one listener's ears, and the weight of each microphone in them.
public enum ListenerMeter: Int, ParameterGroup {
    case peak, rms, lowWeight, highWeight

    public static let container = "/meter/listener/{n}"
    public static let summary = "Levels of the ears, linear, and the weight of each microphone in them."
    public static var topic: Topic? { .head }

    private static let ears = ["left", "right"]

    public var spec: ParameterSpec {
        switch self {
        case .peak:
            .vector(
                "Ear peaks", Self.ears, 0...16, initial: [0, 0], unit: .linearGain,
                "Largest sample since the last report.", access: .read, role: .earPeak)
        case .rms:
            .vector(
                "Ear RMS", Self.ears, 0...16, initial: [0, 0], unit: .linearGain, "RMS level since the last report.",
                access: .read, role: .earRMS)
        case .lowWeight:
            .list(
                "Low weights", -2...2, unit: .linearGain,
                "Weight of every microphone below the crossover, first those of the left ear, then those of the right.",
                role: .lowWeight)
        case .highWeight:
            .list(
                "High weights", -2...2, unit: .linearGain,
                "Weight of every microphone above the crossover, first those of the left ear, then those of the right.",
                role: .highWeight)
        }
    }
}
