internal import Glibc

/// Contiguous frequency bands from low to high.
public struct FrequencyBands: Sendable {
    /// Name in the tables.
    public let name: String
    /// Centre frequencies in Hz.
    public let centres: [Double]
    /// Band edges in Hz, one more than there are bands.
    public let edges: [Double]

    public var count: Int { centres.count }

    /// Bands one ERB wide, centred at ERB numbers 3 to 39: 71 Hz to 15.8 kHz.
    public static let erb = FrequencyBands(
        name: "erb", centres: (3...39).map { ErbScale.frequency(of: Double($0)) },
        edges: (3...40).map { ErbScale.frequency(of: Double($0) - 0.5) })

    /// Third octaves centred at 50 Hz to 12.5 kHz, base ten (IEC 61260-1): 45 Hz to 14.1 kHz.
    public static let thirdOctaves = FrequencyBands(
        name: "third-octave", centres: (17...41).map { pow(10, Double($0) / 10) },
        edges: (17...42).map { pow(10, Double($0) / 10 - 0.05) })
}

/// Scale of equivalent rectangular bandwidths, in which the ear divides frequencies.
///
/// Glasberg and Moore, "Derivation of auditory filter shapes from notched-noise data", Hearing Research 47, 1990.
public enum ErbScale {
    /// Number of bandwidths below `frequency`, Hz.
    public static func number(of frequency: Double) -> Double { 21.4 * log10(1 + 0.00437 * frequency) }

    /// Returns the frequency in Hz; the inverse of ``number(of:)``.
    public static func frequency(of number: Double) -> Double { (pow(10, number / 21.4) - 1) / 0.00437 }

    /// Returns the bandwidth in Hz at `frequency` in Hz.
    public static func bandwidth(at frequency: Double) -> Double { 24.7 * (0.00437 * frequency + 1) }
}

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

/// Measurement of one ear for one source: rendered and exact spectrum, and the powers of both in bands.
struct EarMeasurement {
    struct Powers {
        let rendered: [Double]
        let exact: [Double]
    }

    let rendered: LineSpectrum
    let exact: LineSpectrum
    let erb: Powers
    let thirdOctaves: Powers

    init(rendered: LineSpectrum, exact: LineSpectrum, erb: BandPowers, thirdOctaves: BandPowers) {
        let (power, truth) = (rendered.powers, exact.powers)
        self.rendered = rendered
        self.exact = exact
        self.erb = Powers(rendered: erb.sums(power), exact: erb.sums(truth))
        self.thirdOctaves = Powers(rendered: thirdOctaves.sums(power), exact: thirdOctaves.sums(truth))
    }
}
