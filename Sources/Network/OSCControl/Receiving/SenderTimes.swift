internal import Hub

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
