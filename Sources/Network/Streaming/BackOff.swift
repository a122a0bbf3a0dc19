/// Times between attempts to reach a server: up to one second at first, later up to a minute.
///
/// A server that was away for ten seconds is found within a second of its return. The jitter keeps many engines from coming at once.
public struct BackOff: Sendable {
    static let range = 0.5...60.0
    /// Attempts with short pauses, for about twenty seconds.
    private static let quickAttempts = 30
    private static let growth = 1.5
    /// Seconds that a connection has to last for the next attempt to count as the first.
    public static let steady = 10.0
    private var attempts = 0
    private var mean = 0.75

    public init() {}

    /// The seconds until the next attempt.
    /// - Parameter jitter: -1 to 1.
    public mutating func next(jitter: Double) -> Double {
        defer {
            attempts += 1
            if attempts >= Self.quickAttempts { mean = min(Self.range.upperBound, mean * Self.growth) }
        }
        return min(max(mean * (1 + jitter / 3), Self.range.lowerBound), Self.range.upperBound)
    }

    /// Notes that another client with the same name took the connection. Without a pause, each would keep replacing the other.
    public mutating func noteReplaced() { attempts = max(attempts, Self.quickAttempts) }

    /// Notes for how long a connection lasted, in seconds.
    public mutating func note(connectedFor seconds: Double) { if seconds >= Self.steady { self = BackOff() } }
}
