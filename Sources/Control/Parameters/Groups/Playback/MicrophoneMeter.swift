/// Levels of every microphone.
public enum MicrophoneMeter: Int, ParameterGroup {
    case peak, rms

    public static let container = "/meter/microphone"
    public static let summary = "Levels of every microphone, linear."
    public static var topic: Topic? { .array }

    public var spec: ParameterSpec {
        switch self {
        case .peak:
            .list("Microphone peaks", 0...16, unit: .linearGain, "Largest sample since the last report.", role: .microphonePeak)
        case .rms:
            .list("Microphone RMS", 0...16, unit: .linearGain, "RMS level since the last report.", role: .microphoneRMS)
        }
    }
}
