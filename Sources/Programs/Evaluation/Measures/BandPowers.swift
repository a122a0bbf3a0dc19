/// Sums of the powers of a spectrum's lines in bands.
///
/// A line represents the frequencies up to half a spacing on either side. A line across an edge is shared between both
/// bands, so that even a band narrower than the spacing has a power.
public struct BandPowers: Sendable {
    private let parts: [(first: Int, shares: [Double])]

    /// - Parameter spacing: Hz between lines, of which line 0 is at 0 Hz.
    public init(_ bands: FrequencyBands, spacing: Double) {
        parts = (0..<bands.count).map { band in
            let (low, high) = (bands.edges[band] / spacing, bands.edges[band + 1] / spacing)
            let (first, last) = (Int(clamping: low.rounded()), Int(clamping: high.rounded()))
            let shares = (first...last).map { line in
                max(0, min(high, Double(line) + 0.5) - max(low, Double(line) - 0.5))
            }
            return (first, shares)
        }
    }

    /// Number of lines that it reads.
    public var lines: Int { parts.map { $0.first + $0.shares.count }.max() ?? 0 }

    /// Returns the power in every band.
    public func sums(_ powers: [Float]) -> [Double] {
        parts.map { part in
            var sum = 0.0
            for (index, share) in part.shares.enumerated() { sum += share * Double(powers[part.first + index]) }
            return sum
        }
    }
}
