/// Error statistics over all bands and in three regions, each band with the same weight.
public struct RegionStatistics: Sendable {
    public let all: ErrorStatistics
    /// Below 1.5 kHz, where hearing uses the waveform's phase.
    public let low: ErrorStatistics
    /// 1.5 to 5 kHz.
    public let middle: ErrorStatistics
    public let high: ErrorStatistics

    /// - Parameter errors: errors in each band, any number.
    init(_ errors: [[Float]], _ bands: FrequencyBands) {
        func region(_ range: Range<Double>) -> ErrorStatistics {
            ErrorStatistics(bands.centres.indices.filter { range.contains(bands.centres[$0]) }.flatMap { errors[$0] })
        }
        all = region(0..<Double.infinity)
        low = region(0..<1500)
        middle = region(1500..<5000)
        high = region(5000..<Double.infinity)
    }
}
