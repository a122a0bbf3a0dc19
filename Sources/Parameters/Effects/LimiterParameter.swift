/// Keeps the true peak under a ceiling.
public enum LimiterParameter: Int, ParameterGroup {
    case ceiling, release, gain

    public static let container = "/slot/{n}/limiter"
    public static let summary = "Keeps the true peak under a ceiling."

    public var spec: ParameterSpec {
        switch self {
        case .ceiling: .level("Ceiling", -24...0, initial: -1, "No peak, between samples either, exceeds it.")
        case .release: .time("Release", 10...2000, initial: 100, "In which 63 % of a reduction is gone.")
        case .gain: .level("Gain", 0...24, initial: 0, "Before the limit.")
        }
    }
}
