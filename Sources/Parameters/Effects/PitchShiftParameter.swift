/// Other pitch at the same speed.
public enum PitchShiftParameter: Int, ParameterGroup {
    case semitones, cents, formants, mix

    public static let container = "/slot/{n}/pitch-shift"
    public static let summary = "Other pitch at the same speed."

    public var spec: ParameterSpec {
        switch self {
        case .semitones: .amount("Semitones", -24...24, initial: 0, "Up or down.")
        case .cents: .amount("Cents", -100...100, initial: 0, "Besides.")
        case .formants: .toggle("Keep formants", "A voice keeps its size, an instrument its body, while the pitch moves.")
        case .mix: .share("Mix", initial: 1, "Share of the shifted sound.")
        }
    }
}
