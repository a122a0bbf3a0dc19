/// Silences what is quiet.
public enum GateParameter: Int, ParameterGroup {
    case threshold, hysteresis, attack, hold, release, range

    public static let container = "/slot/{n}/gate"
    public static let summary = "Silences what is quiet."

    public var spec: ParameterSpec {
        switch self {
        case .threshold: .level("Threshold", -90...0, initial: -50, "Level above which it opens.")
        case .hysteresis: .level("Hysteresis", 0...24, initial: 6, "Below the threshold, where it closes.")
        case .attack: .time("Attack", 0.2...50, initial: 1, "In which it opens to 63 %.")
        case .hold: .time("Hold", 0...1000, initial: 50, "That it stays open at least.", logarithmic: false)
        case .release: .time("Release", 5...2000, initial: 100, "In which it closes to 37 %.")
        case .range: .level("Range", -90...0, initial: -80, "What is left when closed; at -90 nothing.")
        }
    }
}
