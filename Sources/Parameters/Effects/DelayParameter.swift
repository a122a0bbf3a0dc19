/// Echoes.
public enum DelayParameter: Int, ParameterGroup {
    case time, sync, repeats, feedback, tone, pingPong, mix

    public static let container = "/slot/{n}/delay"
    public static let summary = "Echoes."

    /// Whole, then halves to sixteenths: plain, dotted, triplets.
    public static let notes =
        ["off", "1/1"] + ["1/2", "1/4", "1/8", "1/16"].flatMap { [$0, $0 + " dotted", $0 + " triplet"] }

    public var spec: ParameterSpec {
        switch self {
        case .time: .time("Time", 1...1000, initial: 350, "From echo to echo.")
        case .sync:
            .choice(
                "Sync", Self.notes,
                "A note in the metronome's tempo in place of the time; halved until all its repeats are over within 6 s.")
        case .repeats: .count("Repeats", 0...6, initial: 0, "How many echoes; 0 is endless, by feedback.")
        case .feedback: .share("Feedback", 0...0.95, initial: 0.35, "Level of an echo against the one before.")
        case .tone: .pitch("Tone", 200...20_000, initial: 6000, "Where echoes lose 3 dB.")
        case .pingPong: .toggle("Ping-pong", "Echoes go left, right, left.")
        case .mix: .share("Mix", initial: 0.3, "Share of the echoes.")
        }
    }
}
