/// Bends the waveform.
public enum OverdriveParameter: Int, ParameterGroup {
    case drive, curve, tone, level, mix

    public static let container = "/slot/{n}/overdrive"
    public static let summary = "Bends the waveform."

    public var spec: ParameterSpec {
        switch self {
        case .drive: .level("Drive", 0...40, initial: 12, "Before the curve.")
        case .curve: .choice("Curve", ["soft", "hard", "tube", "fold"], "How it bends.")
        case .tone: .pitch("Tone", 500...20_000, initial: 8000, "Where the bent sound loses 3 dB.")
        case .level: .level("Level", -24...12, initial: -6, "After the curve.")
        case .mix: .share("Mix", initial: 1, "Share of the bent sound.")
        }
    }
}
