/// Levels of every microphone. Peaks are the largest since the last report.
public enum MicrophoneMeter: Int, ParameterGroup {
    case peak, rms

    public static let container = "/meter/microphone"
    public static let summary = "Levels of every microphone, linear."
    public static var topic: Topic? { .array }

    public var spec: ParameterSpec {
        switch self {
        case .peak:
            .list("Microphone peaks", 0...16, unit: .linearGain, "Largest since the last report.", role: .microphonePeak)
        case .rms:
            .list("Microphone RMS", 0...16, unit: .linearGain, "Over the last report.", role: .microphoneRMS)
        }
    }
}

/// Levels of one listener's ears, and the weight each microphone has in them.
public enum ListenerMeter: Int, ParameterGroup {
    case peak, rms, lowWeight, highWeight

    public static let container = "/meter/listener/{n}"
    public static let summary = "Levels of the ears, linear, and what each microphone adds to them."
    public static var topic: Topic? { .head }

    private static let ears = ["left", "right"]

    public var spec: ParameterSpec {
        switch self {
        case .peak:
            .vector(
                "Ear peaks", Self.ears, 0...16, initial: [0, 0], unit: .linearGain,
                "Largest since the last report.", access: .read, role: .earPeak)
        case .rms:
            .vector(
                "Ear RMS", Self.ears, 0...16, initial: [0, 0], unit: .linearGain, "Over the last report.",
                access: .read, role: .earRMS)
        case .lowWeight:
            .list(
                "Low weights", -2...2, unit: .linearGain,
                "Weight of every microphone below the crossover: those of the left ear, then those of the right.",
                role: .lowWeight)
        case .highWeight:
            .list(
                "High weights", -2...2, unit: .linearGain,
                "Weight of every microphone above the crossover: those of the left ear, then those of the right.",
                role: .highWeight)
        }
    }
}
