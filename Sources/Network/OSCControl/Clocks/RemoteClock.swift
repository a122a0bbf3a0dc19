/// Another machine's clock relative to the local one: offset and drift.
public struct RemoteClock: Sendable, Equatable {
    /// Nanoseconds there (since 1900 where the clock is that of timetags) minus CLOCK_MONOTONIC nanoseconds here, at `reference`.
    public var offset: Int64
    /// CLOCK_MONOTONIC nanoseconds.
    public var reference: UInt64
    /// Relative rate difference; positive when the remote clock is faster.
    public var drift: Double

    public init(offset: Int64, reference: UInt64, drift: Double) {
        self.offset = offset
        self.reference = reference
        self.drift = drift
    }

    /// Converts a timetag of the remote clock to local CLOCK_MONOTONIC nanoseconds.
    public func local(timetag: UInt64) -> UInt64 { local(Self.nanoseconds(timetag: timetag)) }

    /// Converts nanoseconds of the remote clock to local CLOCK_MONOTONIC nanoseconds.
    public func local(_ there: Int64) -> UInt64 {
        // Drift since the reference. The elapsed time is accurate enough without correcting it for the drift itself.
        let passed = Double(there &- offset &- Int64(bitPattern: reference))
        return UInt64(clamping: there &- offset &- Int64(clamping: passed * drift))
    }

    /// Converts an NTP time to nanoseconds since 1900.
    static func nanoseconds(timetag: UInt64) -> Int64 {
        Int64((timetag >> 32) * 1_000_000_000 + ((timetag & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
    }
}
