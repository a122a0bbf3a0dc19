/// What a device runs with: two channels, so many frames per second, so many frames per block.
public struct DeviceFormat: Equatable, Sendable {
    /// Frames per second, within ``rates``.
    public let rate: Int
    /// Frames per block, within ``periods``.
    public let period: Int
    /// Blocks that fit the device's buffer, within ``counts``. Only sound cards have one.
    public let periods: Int

    public static let rates = 8000...192_000
    public static let periods = 16...8192
    public static let counts = 2...64

    /// Throws when a number is out of its range.
    public init(rate: Int, period: Int, periods: Int = 2) throws(DeviceError) {
        try Self.check(rate, "A rate", "frames per second", Self.rates)
        try Self.check(period, "A period", "frames", Self.periods)
        try Self.check(periods, "A buffer", "periods", Self.counts)
        self.init(agreed: rate, period: period, periods: periods)
    }

    /// What a card has settled on, which may be more periods than a person can ask for.
    init(agreed rate: Int, period: Int, periods: Int) {
        self.rate = rate
        self.period = period
        self.periods = periods
    }

    /// Nanoseconds of one block, rounded down.
    public var blockDuration: UInt64 { UInt64(period) * 1_000_000_000 / UInt64(rate) }

    private static func check(
        _ value: Int, _ what: String, _ unit: String, _ range: ClosedRange<Int>
    ) throws(DeviceError) {
        guard !range.contains(value) else { return }
        throw DeviceError("\(what) of \(value) \(unit) is outside \(range.lowerBound) to \(range.upperBound).")
    }
}
