internal import CDatagram
internal import CRealtime
public import Hub
internal import Synchronization

/// Times in datagrams, by this machine's monotonic clock. For the pose thread.
struct SenderTimes {
    /// Age in nanoseconds from which sender times are ignored.
    private static let maximumAge: UInt64 = 1_000_000_000

    private var wall = WallClock()
    private let clocks: SenderClocks

    init(_ clocks: SenderClocks) { self.clocks = clocks }

    /// Compares the clocks of this machine again when that is due.
    mutating func refresh(now: UInt64) { wall.refresh(now: now) }

    /// - Parameter realtime: at which the kernel received a datagram, CLOCK_REALTIME nanoseconds.
    func received(realtime: UInt64, now: UInt64) -> UInt64 { wall.monotonic(realtime: realtime, now: now) }

    /// Returns the local time of a timetag, by its sender's clock when known; 0 for "immediately".
    func local(_ timetag: UInt64, _ sender: NetworkAddress) -> UInt64 {
        guard timetag != OSCPacket.immediately else { return 0 }
        return clocks.clock(of: sender)?.local(timetag: timetag) ?? wall.monotonic(timetag: timetag)
    }

    /// Returns the local time at which a sender took its measurement; 0 when unknown.
    ///
    /// The sender must be this machine or have a known clock, and the time be less than a second ago; otherwise the timetag
    /// has another meaning.
    func sent(_ timetag: UInt64, from sender: NetworkAddress, receiveTime: UInt64) -> UInt64 {
        guard sender.isLoopback || clocks.clock(of: sender) != nil else { return 0 }
        let time = min(local(timetag, sender), receiveTime)
        return receiveTime - time < Self.maximumAge ? time : 0
    }
}

/// The clocks of senders by address: measured on the control thread, used on the pose thread.
///
/// A clock belongs to a machine, so the port is ignored.
public final class SenderClocks: Sendable {
    private static let maximumClocks = 64
    private let clocks = Mutex<[SIMD16<UInt8>: RemoteClock]>([:])

    public init() {}

    public func set(_ clock: RemoteClock, of address: NetworkAddress) {
        clocks.withLock { clocks in
            if clocks.count >= Self.maximumClocks, clocks[address.bytes] == nil { clocks.removeAll() }
            clocks[address.bytes] = clock
        }
    }

    /// Returns a sender's clock; nil when it was never measured.
    public func clock(of address: NetworkAddress) -> RemoteClock? { clocks.withLock { $0[address.bytes] } }
}

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
