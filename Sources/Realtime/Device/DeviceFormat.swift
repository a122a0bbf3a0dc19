/// Format of a device: a number of frames per second, and a number of frames per block.
public struct DeviceFormat: Equatable, Sendable {
    /// Frames per second, within ``rates``.
    public let rate: Int
    /// Frames per block, within ``periods``.
    public let period: Int
    /// Blocks in the device's buffer, within ``counts``. Only sound cards have a buffer.
    public let periods: Int

    /// Default rate.
    public static let standardRate = 48_000
    public static let rates = 8000...192_000
    public static let periods = 16...8192
    public static let counts = 2...64

    /// Checks and stores the values.
    /// - Throws: ``DeviceError`` when a value is out of range.
    public init(rate: Int, period: Int, periods: Int = 2) throws(DeviceError) {
        try Self.check(rate, "A rate", "frames per second", Self.rates)
        try Self.check(period, "A period", "frames", Self.periods)
        try Self.check(periods, "A buffer", "periods", Self.counts)
        self.init(agreed: rate, period: period, periods: periods)
    }

    /// The format that a sound device has chosen, which may have more periods than can be requested.
    init(agreed rate: Int, period: Int, periods: Int) {
        self.rate = rate
        self.period = period
        self.periods = periods
    }

    /// Duration of one block in nanoseconds, rounded down.
    public var blockDuration: UInt64 { UInt64(period) * 1_000_000_000 / UInt64(rate) }

    private static func check(
        _ value: Int, _ what: String, _ unit: String, _ range: ClosedRange<Int>
    ) throws(DeviceError) {
        guard !range.contains(value) else { return }
        throw DeviceError("\(what) of \(value) \(unit) is outside \(range.lowerBound) to \(range.upperBound).")
    }
}
