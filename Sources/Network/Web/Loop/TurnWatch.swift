internal import CRealtime

/// Longest turns of the control thread: from the end of a wait for events until the next wait begins.
///
/// A turn lasts as long as the thread computes, or waits for a file, a lock or another thread. Time in which it could run but
/// the machine ran others does not count.
public final class TurnWatch {
    /// Seconds that ``recent(now:)`` looks back.
    public static let span = 10
    /// Nanoseconds of a turn from which on the delay by others is worth reading.
    private static let short: UInt64 = 1_000_000

    private lazy var account = ThreadAccount()
    private var begin: UInt64 = 0
    private var before = ThreadAccount.Reading()
    /// The longest turn of each of the last seconds, and which second that is.
    private var seconds = [(second: UInt64, longest: UInt64)](repeating: (0, 0), count: TurnWatch.span)
    /// Nanoseconds of the longest turn since the start.
    public private(set) var longest: UInt64 = 0
    /// Nanoseconds of ``longest`` in which the thread computed; in the rest it waited.
    public private(set) var computed: UInt64 = 0

    public init() {}

    /// The longest turn of the last ten seconds, nanoseconds.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func recent(now: UInt64) -> UInt64 {
        let second = now / 1_000_000_000
        return seconds.reduce(0) { $1.second + UInt64(Self.span) > second ? max($0, $1.longest) : $0 }
    }

    /// Forgets every turn so far, the present one included: those of a start, during which nobody waits yet.
    public func forget() {
        (longest, computed, begin) = (0, 0, 0)
        seconds = [(second: UInt64, longest: UInt64)](repeating: (0, 0), count: Self.span)
    }

    func beginTurn() {
        begin = rt_now()
        before = account.current(now: begin)
    }

    func endTurn() {
        guard begin != 0 else { return }
        let now = rt_now()
        let wall = now &- begin
        begin = 0
        guard wall >= Self.short else { return note(wall, now: now) }
        // The reading before is at most a millisecond older than the turn.
        let after = account.latest()
        note(wall - min(wall, after.delayed &- before.delayed), computed: after.computed &- before.computed, now: now)
    }

    /// - Parameters:
    ///   - duration: of a turn, nanoseconds.
    ///   - computed: the part of it in which the thread computed, nanoseconds; nil for all of it.
    ///   - now: its end, CLOCK_MONOTONIC nanoseconds.
    func note(_ duration: UInt64, computed: UInt64? = nil, now: UInt64) {
        if duration > longest { (longest, self.computed) = (duration, min(duration, computed ?? duration)) }
        let second = now / 1_000_000_000
        let place = Int(second % UInt64(Self.span))
        if seconds[place].second != second { seconds[place] = (second, 0) }
        seconds[place].longest = max(seconds[place].longest, duration)
    }
}
