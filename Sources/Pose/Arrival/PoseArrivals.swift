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

    public init() {}

    public var count: Int { total.load(ordering: .relaxed) }
    public var lost: Int { missing.load(ordering: .relaxed) }
    /// Arrival jitter in milliseconds, smoothed as in RFC 3550, section 6.4.1.
    public var jitterMilliseconds: Double { Double(jitterNanoseconds.load(ordering: .relaxed)) / 1e6 }
    /// Receive time of the newest pose, CLOCK_MONOTONIC nanoseconds; 0 before the first.
    public var lastTime: UInt64 { newest.load(ordering: .relaxed) }

    /// Seconds without a pose that count as a pause instead of a loss.
    private static let pause = 1.0
    /// Number of even intervals after which a tracker counts as streaming.
    private static let steadyIntervals = 16

    /// - Parameter receiveTime: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: nanoseconds since the previous pose; 0 for the first and after a pause.
    public func note(receiveTime: UInt64) -> UInt32 {
        total.add(1, ordering: .relaxed)
        let before = newest.exchange(receiveTime, ordering: .relaxed)
        let passed = Double(Int64(bitPattern: receiveTime &- before))
        guard before != 0, passed >= 0, passed < Self.pause * 1e9 else {
            (interval, steady) = (0, 0)
            return 0
        }
        if steady < Self.steadyIntervals {
            steady += 1
            interval += (passed - interval) / Double(steady)
        } else {
            let missed = (passed / interval).rounded() - 1
            // Losses can be estimated only for trackers that send at even intervals.
            if missed >= 1, jitter < interval / 4 { missing.add(Int(clamping: missed), ordering: .relaxed) }
            interval += (min(passed, 2 * interval) - interval) / 64
            let off = abs(passed - (missed >= 1 ? missed + 1 : 1) * interval)
            jitter += (off - jitter) / 16
        }
        jitterNanoseconds.store(UInt64(clamping: jitter), ordering: .relaxed)
        return UInt32(clamping: Int64(clamping: passed))
    }
}
