/// Several players for one.
public enum ChorusParameter: Int, ParameterGroup {
    case voices, rate, depth, delay, width, mix

    public static let container = "/slot/{n}/chorus"
    public static let summary = "Several players for one."

    public var spec: ParameterSpec {
        switch self {
        case .voices: .count("Voices", 1...8, initial: 3, "How many copies.")
        case .rate: .pitch("Rate", 0.05...5, initial: 0.6, "How often they sway.")
        case .depth: .time("Depth", 0...10, initial: 3, "Between the longest and the shortest delay of a copy.")
        case .delay: .time("Delay", 5...40, initial: 12, "About which the first copy sways.")
        case .width: .share("Width", initial: 0.7, "How different the sides are.")
        case .mix: .share("Mix", initial: 0.5, "Share of the copies.")
        }
    }
}
