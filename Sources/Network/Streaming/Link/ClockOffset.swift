/// Difference of two clocks, by the shortest of the latest round trips: a long one may have been long in one direction only.
public struct ClockOffset: Sendable {
    /// Bursts of round trips that count.
    public static let count = 8
    private var readings: [RoundTripBurst.Reading] = []

    public init() {}

    public mutating func add(_ reading: RoundTripBurst.Reading) {
        if readings.count == Self.count { readings.removeFirst() }
        readings.append(reading)
    }

    /// The answering side's clock minus the asking side's, milliseconds; nil before the first burst.
    public var value: Double? { readings.min { $0.shortest < $1.shortest }?.offset }
}
