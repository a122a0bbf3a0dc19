internal import Synchronization

/// Arrival statistics of the poses of one inlet, written by the thread that sends them and readable by any other.
// SAFETY: shared state is atomic; only the thread that sends poses calls `note`.
public final class PoseArrivals: @unchecked Sendable {
    /// Poses since the start.
    private let total = Atomic<Int>(0)
    /// Estimated number of lost poses, from gaps in an even stream.
    private let missing = Atomic<Int>(0)
    /// Mean deviation of intervals from their average, in nanoseconds.
    private let jitterNanoseconds = Atomic<UInt64>(0)
    private let newest = Atomic<UInt64>(0)
    private var interval = 0.0
    private var jitter = 0.0
    private var steady = 0
    /// Largest recent deviation from an even stream, in nanoseconds.
    private var unevenness = 0.0
    /// Poses that seem to be missing in the last gap, until the stream has gone on evenly.
    private var gap = 0
    /// Even intervals since the last gap.
    private var evenSince = 0

    public init() {}

    public var count: Int { total.load(ordering: .acquiring) }
    public var lost: Int { missing.load(ordering: .relaxed) }
    /// Arrival jitter in milliseconds, smoothed as in RFC 3550, section 6.4.1.
    public var jitterMilliseconds: Double { Double(jitterNanoseconds.load(ordering: .relaxed)) / 1e6 }
    /// Receive time of the newest pose, CLOCK_MONOTONIC nanoseconds; 0 before the first.
    public var lastTime: UInt64 { newest.load(ordering: .relaxed) }

    /// Seconds without a pose that count as a pause instead of a loss.
    private static let pause = 1.0
    /// Number of even intervals after which a tracker counts as streaming.
    private static let steadyIntervals = 16
    /// Number of even intervals after a gap that confirm it: a late pose is followed by a short interval instead.
    private static let confirmation = 8
    /// Share of ``unevenness`` that is left after each interval.
    private static let decay = 0.95

    /// - Parameter receiveTime: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: nanoseconds since the previous pose; 0 for the first and after a pause.
    public func note(receiveTime: UInt64) -> UInt32 {
        // Written before the count: a reader of both in reverse order never counts a pose beyond the newest time.
        let before = newest.exchange(receiveTime, ordering: .relaxed)
        total.add(1, ordering: .releasing)
        let passed = Double(Int64(bitPattern: receiveTime &- before))
        guard before != 0, passed >= 0, passed < Self.pause * 1e9 else {
            (interval, steady, gap) = (0, 0, 0)
            return 0
        }
        if steady < Self.steadyIntervals {
            steady += 1
            interval += (passed - interval) / Double(steady)
            unevenness = interval
        } else {
            let missed = (passed / interval).rounded() - 1
            interval += (min(passed, 2 * interval) - interval) / 64
            let off = abs(passed - (missed >= 1 ? missed + 1 : 1) * interval)
            jitter += (off - jitter) / 16
            count(Int(clamping: max(0, missed)), off)
        }
        jitterNanoseconds.store(UInt64(clamping: jitter), ordering: .relaxed)
        return UInt32(clamping: Int64(clamping: passed))
    }

    /// Counts losses, which can be determined only in a stream of even intervals: gaps of whole intervals, not made up for afterwards.
    ///
    /// - Parameters:
    ///   - missed: poses that seem to be missing before the newest one.
    ///   - off: deviation of the interval from a multiple of the average, nanoseconds.
    private func count(_ missed: Int, _ off: Double) {
        // After a long gap the average is not exact enough.
        let isLong = missed >= 4
        unevenness = max(isLong ? 0 : off, unevenness * Self.decay)
        guard unevenness < interval / 4 else {
            gap = 0
            return
        }
        if missed > 0 {
            gap += missed
            evenSince = 0
        } else if gap > 0 {
            evenSince += 1
            guard evenSince == Self.confirmation else { return }
            missing.add(gap, ordering: .relaxed)
            gap = 0
        }
    }
}
