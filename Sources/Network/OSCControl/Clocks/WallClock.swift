internal import CDatagram
internal import CRealtime

/// Converts CLOCK_REALTIME and NTP times to CLOCK_MONOTONIC, in nanoseconds.
struct WallClock {
    /// Seconds from 1900, where NTP begins, to 1970.
    private static let epoch: UInt64 = 2_208_988_800
    /// Interval after which the offset is measured again, to follow a clock that is set or slewed: one second.
    private static let lifetime: UInt64 = 1_000_000_000

    /// CLOCK_REALTIME minus CLOCK_MONOTONIC.
    private(set) var offset: Int64 = 0
    private var measured: UInt64 = 0

    init() { measure() }

    mutating func refresh(now: UInt64) {
        if now &- measured > Self.lifetime { measure() }
    }

    /// Reads one clock between two readings of the other and keeps the closest of five tries: accurate to tens of nanoseconds.
    private mutating func measure() {
        var best = UInt64.max
        for _ in 0..<5 {
            let before = rt_now()
            let real = datagram_realtime()
            let after = rt_now()
            if after - before < best {
                best = after - before
                offset = Int64(real) - Int64(before + (after - before) / 2)
            }
            measured = after
        }
    }

    /// Converts a kernel receive time, no later than `now`; returns `now` when the kernel gave none.
    func monotonic(realtime: UInt64, now: UInt64) -> UInt64 {
        guard realtime != 0 else { return now }
        return min(now, UInt64(clamping: Int64(clamping: realtime) &- offset))
    }

    /// Converts a timetag; returns 0 for "immediately" and for times before this machine started.
    func monotonic(timetag: UInt64) -> UInt64 {
        let seconds = timetag >> 32
        guard seconds >= Self.epoch else { return 0 }
        // Rounded up, so that a message is never early.
        let fraction = ((timetag & 0xFFFF_FFFF) * 1_000_000_000 + 0xFFFF_FFFF) >> 32
        return UInt64(clamping: Int64((seconds - Self.epoch) * 1_000_000_000 + fraction) - offset)
    }
}
