/// The engine that this one follows, through the MQTT broker.
public enum FollowParameter: Int, ParameterGroup {
    case engine, chain, state, problem, difference, roundTrip

    public static let container = "/follow"
    public static let summary = "The engine whose session, scenes and transport this one mirrors."
    public static var topic: Topic? { .engine }

    /// States of following.
    public enum State: String, CaseIterable, Sendable {
        case off, waiting, following

        /// The parameter's value.
        public var number: Float { Float(Self.allCases.firstIndex(of: self) ?? 0) }
    }

    public var spec: ParameterSpec {
        switch self {
        case .engine: .text("Followed engine", "Its name at the broker; empty without --follow.", access: .read, role: .followEngine)
        case .chain:
            .text(
                "Chain of engines", "The followed engine, the one that it follows itself, and so on, with slashes between their names.",
                access: .read)
        case .state:
            .choice(
                "Following", State.allCases.map(\.rawValue),
                "off without --follow; waiting while the followed engine is not there; following.",
                access: .read, role: .followState)
        case .problem:
            .text(
                "Following problem", "Why something of the followed engine is not mirrored, and how to help; empty while all of it is.",
                access: .read, role: .followProblem)
        case .difference:
            .gauge(
                "Difference", -1e6...1e6, unit: .millisecond,
                "Time by which the recording is heard here after the followed engine; corrected beyond 0.1 ms or a tenth of the "
                    + "clocks' round trip.", initial: 0,
                role: .followDifference)
        case .roundTrip:
            .gauge(
                "Clock round trip", 0...1e6, unit: .millisecond,
                "Median time of a question about the followed engine's clock and its answer, through the broker; 0 before the first.",
                role: .followRoundTrip)
        }
    }
}
