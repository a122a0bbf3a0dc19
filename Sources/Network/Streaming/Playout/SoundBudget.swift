/// Sound that a sender may send: as much as passes in real time, with some tolerance for its clock and for packets that come together.
/// All times are milliseconds.
public struct SoundBudget: Sendable {
    /// Sound that may come at once.
    static let burst = 500.0
    /// Sound per time.
    static let speed = 1.05
    /// Sound that has to be left after a refusal, so that one gap is heard instead of many short ones.
    static let margin = 60.0

    private var left = Self.burst
    private var isShort = false
    private var latest: Double?

    public init() {}

    /// Whether this amount of sound may be received now; it is deducted from the budget then.
    public mutating func take(_ duration: Double, now: Double) -> Bool {
        if let latest { left = min(Self.burst, left + Self.speed * max(0, now - latest)) }
        latest = now
        isShort = left < (isShort ? max(duration, Self.margin) : duration)
        if !isShort { left -= duration }
        return !isShort
    }
}
