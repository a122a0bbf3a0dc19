internal import Synchronization

/// How the poses of one inlet arrive: counted by the thread that brings them, read by any other.
// SAFETY: atomics, freed when all who hold it are gone; only the thread that brings poses calls `note`.
public final class PoseArrivals: @unchecked Sendable {
    /// Poses since the start.
    private let total = Atomic<Int>(0)
    /// Poses that must have been sent but never came, by the gaps they left.
    private let missing = Atomic<Int>(0)
    /// Nanoseconds by which intervals differ from their mean.
    private let wobble = Atomic<UInt64>(0)
    private let newest = Atomic<UInt64>(0)
    private var interval = 0.0
    private var jitter = 0.0
    private var steady = 0

    public init() {}

    public var count: Int { total.load(ordering: .relaxed) }
    public var lost: Int { missing.load(ordering: .relaxed) }
    /// Milliseconds by which poses come too early or late, as RFC 3550 (6.4.1) smooths it.
    public var jitterMilliseconds: Double { Double(wobble.load(ordering: .relaxed)) / 1e6 }
    /// When the newest was received, CLOCK_MONOTONIC nanoseconds; 0 before the first.
    public var lastTime: UInt64 { newest.load(ordering: .relaxed) }

    /// Seconds without a pose after which a tracker has paused rather than lost some.
    private static let pause = 1.0
    /// Intervals by which a tracker is known to send evenly.
    private static let enough = 16

    /// - Parameter receiveTime: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: nanoseconds since the pose before; 0 for the first and after a pause.
    public func note(receiveTime: UInt64) -> UInt32 {
        total.add(1, ordering: .relaxed)
        let before = newest.exchange(receiveTime, ordering: .relaxed)
        let passed = Double(Int64(bitPattern: receiveTime &- before))
        guard before != 0, passed >= 0, passed < Self.pause * 1e9 else {
            (interval, steady) = (0, 0)
            return 0
        }
        if steady < Self.enough {
            steady += 1
            interval += (passed - interval) / Double(steady)
        } else {
            let missed = (passed / interval).rounded() - 1
            // Of a tracker that sends when it likes, nobody knows what is missing.
            if missed >= 1, jitter < interval / 4 { missing.add(Int(missed), ordering: .relaxed) }
            interval += (min(passed, 2 * interval) - interval) / 64
            let off = abs(passed - (missed >= 1 ? missed + 1 : 1) * interval)
            jitter += (off - jitter) / 16
        }
        wobble.store(UInt64(jitter), ordering: .relaxed)
        return UInt32(clamping: Int64(passed))
    }
}
