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
