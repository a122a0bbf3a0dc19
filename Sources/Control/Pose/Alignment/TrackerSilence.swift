/// Behaviour of a head whose tracker falls silent: it holds its pose, then returns to the front after a timeout.
///
/// Only a tracker that streams can fall silent. Poses sent sporadically, for example by turning a knob, are meant to stay.
public struct TrackerSilence: Sendable {
    /// Seconds of silence after which the head returns to the front; 0 means never.
    public var timeout: Double
    /// Duration of the return in seconds.
    public var returnTime: Double
    private var last: (time: UInt64, head: SIMD4<Float>)?
    /// Number of consecutive poses without a gap.
    private var run = 0
    private var isHome = false

    /// Longest interval of a stream in nanoseconds; corresponds to 5 Hz.
    private static let gap: UInt64 = 200_000_000
    private static let stream = 10
    /// Nanoseconds between two poses of the return.
    private static let step: UInt64 = 10_000_000

    public init(timeout: Double, returnTime: Double) {
        self.timeout = timeout
        self.returnTime = returnTime
    }

    public mutating func note(_ head: SIMD4<Float>, now: UInt64) {
        run = last.map { now - min(now, $0.time) < Self.gap } == true ? min(run + 1, Self.stream) : 1
        last = (now, head)
        isHome = false
    }

    /// Returns true from the beginning of the return until the tracker sends again.
    public func isOver(now: UInt64) -> Bool { isHome || start.map { now >= $0 } == true }

    /// Time at which the return begins; nil when there is none.
    private var start: UInt64? {
        guard let last, timeout > 0, run >= Self.stream, !isHome else { return nil }
        return last.time + UInt64(clamping: timeout * 1e9)
    }

    /// Returns the time at which ``pose(now:home:)`` has the next pose, CLOCK_MONOTONIC nanoseconds.
    /// - Parameter now: time of the previous check.
    public func nextDue(now: UInt64) -> UInt64? { start.map { max($0, now + Self.step) } }

    /// Returns the pose during the return; nil while the head is held, and after it has arrived.
    public mutating func pose(now: UInt64, home: SIMD4<Float>) -> SIMD4<Float>? {
        guard let start, now >= start, let last else { return nil }
        let share = min(Double(now - start) / max(returnTime * 1e9, 1), 1)
        if share >= 1 { isHome = true }
        // Smoothstep: the return begins and ends with speed 0.
        return Orientation.between(last.head, home, share: share * share * (3 - 2 * share))
    }
}
