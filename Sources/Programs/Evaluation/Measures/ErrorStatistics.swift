internal import Glibc

/// Summary of many errors.
public struct ErrorStatistics: Sendable, Equatable {
    /// Mean of the magnitudes.
    public let mean: Double
    /// 95th percentile of the magnitudes, interpolated.
    public let p95: Double
    /// Signed mean.
    public let bias: Double
    /// Square root of the mean square.
    public let rms: Double

    /// - Parameter errors: signed errors in any unit; an empty collection gives NaN.
    public init(_ errors: some Collection<Float>) {
        guard !errors.isEmpty else {
            (mean, p95, bias, rms) = (.nan, .nan, .nan, .nan)
            return
        }
        let sizes = errors.map(abs).sorted()
        let count = Double(sizes.count)
        mean = sizes.reduce(0.0) { $0 + Double($1) } / count
        bias = errors.reduce(0.0) { $0 + Double($1) } / count
        rms = (sizes.reduce(0.0) { $0 + Double($1) * Double($1) } / count).squareRoot()
        let place = 0.95 * (count - 1)
        let below = Int(clamping: place)
        let above = min(below + 1, sizes.count - 1)
        p95 = Double(sizes[below]) + (place - Double(below)) * Double(sizes[above] - sizes[below])
    }
}

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
