/// The engine that this one follows, through the MQTT broker.
public enum FollowParameter: Int, ParameterGroup {
    case engine, chain, state, problem, fetching, difference, roundTrip

    public static let container = "/follow"
    public static let summary = "The engine whose session, scenes and transport this one mirrors."
    public static var topic: Topic? { .engine }

    /// States of following.
    public enum State: String, NamedChoice {
        case off, waiting, following
    }

    public var spec: ParameterSpec {
        switch self {
        case .engine:
            .text(
                "Followed engine", "Name of the followed engine at the broker; empty without --follow.", access: .read, role: .followEngine)
        case .chain:
            .text(
                "Chain of engines", "Names of the followed engine, of the engine that it follows, and so on, separated by slashes.",
                access: .read)
        case .state:
            .choice(
                "Following", State.names,
                "off without --follow; waiting while the followed engine is absent; following.",
                access: .read, role: .followState)
        case .problem:
            .text(
                "Following problem",
                "Reason why some state of the followed engine is not mirrored, and what to do; empty while everything "
                    + "is.",
                access: .read, role: .followProblem)
        case .fetching:
            .text(
                "File being fetched", "Name of the file and the fetched share; empty for none.", access: .read,
                role: .followFetching)
        case .difference:
            .gauge(
                "Difference", -1e6...1e6, unit: .millisecond,
                "Delay of the recording relative to the followed engine; corrected beyond 0.1 ms or "
                    + "a tenth of the clocks' round-trip time.", initial: 0,
                role: .followDifference)
        case .roundTrip:
            .gauge(
                "Clock round trip", 0...1e6, unit: .millisecond,
                "Median round-trip time of clock queries to the followed engine, through the broker; 0 before the first.",
                role: .followRoundTrip)
        }
    }
}
