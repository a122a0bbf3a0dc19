/// Pitch that sways.
public enum VibratoParameter: Int, ParameterGroup {
    case rate, depth, phase

    public static let container = "/slot/{n}/vibrato"
    public static let summary = "Pitch that sways."

    public var spec: ParameterSpec {
        switch self {
        case .rate: .pitch("Rate", 0.5...14, initial: 5.5, "How often.")
        case .depth: .amount("Depth", 0...100, initial: 20, "Cents up and down.")
        case .phase: .turn("Phase", initial: 0, "How far the right side is ahead.")
        }
    }
}
