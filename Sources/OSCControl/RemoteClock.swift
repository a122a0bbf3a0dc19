/// Another machine's clock as this one sees it: how far it is ahead, and how fast that grows.
public struct RemoteClock: Sendable, Equatable {
    /// Nanoseconds since 1900 there minus CLOCK_MONOTONIC nanoseconds here, at `reference`.
    public var offset: Int64
    /// CLOCK_MONOTONIC nanoseconds.
    public var reference: UInt64
    /// Nanoseconds per nanosecond by which that clock is faster.
    public var drift: Double

    public init(offset: Int64, reference: UInt64, drift: Double) {
        self.offset = offset
        self.reference = reference
        self.drift = drift
    }

    /// What one of its timetags is here, CLOCK_MONOTONIC nanoseconds.
    public func local(timetag: UInt64) -> UInt64 {
        let there = Self.nanoseconds(timetag: timetag)
        // The drift since the reference, over a time that is known well enough without it.
        let passed = Double(there &- offset &- Int64(bitPattern: reference))
        return UInt64(clamping: there &- offset &- Int64(passed * drift))
    }

    /// NTP time as nanoseconds since 1900.
    static func nanoseconds(timetag: UInt64) -> Int64 {
        Int64((timetag >> 32) * 1_000_000_000 + ((timetag & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
    }
}
