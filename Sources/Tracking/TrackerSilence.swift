/// What a head does when its tracker falls silent: it is held, and glides home after a while.
///
/// Only a tracker that streams can fall silent. What sends a pose now and then, when somebody turns a knob, means it to stay.
public struct TrackerSilence: Sendable {
    /// Seconds of silence after which the head glides home; 0 never.
    public var timeout: Double
    /// Seconds that it takes.
    public var glide: Double
    private var last: (time: UInt64, head: SIMD4<Float>)?
    /// Poses in a row without a gap.
    private var run = 0
    private var isHome = false

    /// Nanoseconds: a tracker at 5 Hz is the slowest that counts as streaming.
    private static let gap: UInt64 = 200_000_000
    private static let stream = 10
    /// Nanoseconds between two poses on the way home.
    private static let step: UInt64 = 10_000_000

    public init(timeout: Double, glide: Double) {
        self.timeout = timeout
        self.glide = glide
    }

    public mutating func note(_ head: SIMD4<Float>, now: UInt64) {
        run = last.map { now - min(now, $0.time) < Self.gap } == true ? min(run + 1, Self.stream) : 1
        last = (now, head)
        isHome = false
    }

    /// True from the moment the head begins to glide until the tracker is heard again.
    public func isOver(now: UInt64) -> Bool { isHome || start.map { now >= $0 } == true }

    /// When the glide begins; nil when there is none to come.
    private var start: UInt64? {
        guard let last, timeout > 0, run >= Self.stream, !isHome else { return nil }
        return last.time + UInt64(timeout * 1e9)
    }

    /// When ``pose(now:home:)`` has something, CLOCK_MONOTONIC nanoseconds.
    /// - Parameter now: of the last look.
    public func nextDue(now: UInt64) -> UInt64? { start.map { max($0, now + Self.step) } }

    /// Where the head is on its way home; nil while it is held, and when it has arrived.
    public mutating func pose(now: UInt64, home: SIMD4<Float>) -> SIMD4<Float>? {
        guard let start, now >= start, let last else { return nil }
        let share = min(Double(now - start) / max(glide * 1e9, 1), 1)
        if share >= 1 { isHome = true }
        // Neither begins nor ends with a jerk.
        return Orientation.between(last.head, home, share: share * share * (3 - 2 * share))
    }
}
