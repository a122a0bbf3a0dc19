/// Eight bands.
public enum EqualiserParameter: Int, ParameterGroup {
    case band1Shape, band1Frequency, band1Gain, band1Q
    case band2Shape, band2Frequency, band2Gain, band2Q
    case band3Shape, band3Frequency, band3Gain, band3Q
    case band4Shape, band4Frequency, band4Gain, band4Q
    case band5Shape, band5Frequency, band5Gain, band5Q
    case band6Shape, band6Frequency, band6Gain, band6Q
    case band7Shape, band7Frequency, band7Gain, band7Q
    case band8Shape, band8Frequency, band8Gain, band8Q

    public static let container = "/slot/{n}/equaliser"
    public static let summary = "Eight bands: shelves, peaks, high- and low-pass."

    /// How many parameters a band has.
    private static let perBand = 4
    private static let shapes = ["off", "peak", "low-shelf", "high-shelf", "low-pass", "high-pass"]
    private static let firstShapes = [0, 2, 1, 1, 1, 1, 3, 0]
    private static let firstFrequencies: [Float] = [30, 100, 250, 800, 2500, 6000, 9000, 18_000]
    private static let firstQs: [Float] = [0.71, 0.71, 1, 1, 1, 1, 0.71, 0.71]

    /// Counted from 0.
    private var band: Int { rawValue / Self.perBand }

    public var spec: ParameterSpec {
        switch self {
        case .band1Shape, .band2Shape, .band3Shape, .band4Shape,
            .band5Shape, .band6Shape, .band7Shape, .band8Shape:
            .choice("Band \(band + 1) shape", Self.shapes, initial: Self.firstShapes[band], "What the band does.")
                .with(.bandShape)
        case .band1Frequency, .band2Frequency, .band3Frequency, .band4Frequency, .band5Frequency, .band6Frequency,
            .band7Frequency, .band8Frequency:
            .pitch(
                "Band \(band + 1) frequency", 20...20_000, initial: Self.firstFrequencies[band],
                "Of a peak its middle, of a pass -3 dB, of a shelf the middle of its slope."
            )
            .with(.bandFrequency)
        case .band1Gain, .band2Gain, .band3Gain, .band4Gain, .band5Gain, .band6Gain, .band7Gain, .band8Gain:
            .level("Band \(band + 1) gain", -18...18, initial: 0, "Of a shelf or a peak.")
                .with(.bandGain)
        case .band1Q, .band2Q, .band3Q, .band4Q, .band5Q, .band6Q, .band7Q, .band8Q:
            .amount(
                "Band \(band + 1) Q", 0.1...10, initial: Self.firstQs[band], logarithmic: true,
                "Frequency by width; of shelves at most 1."
            )
            .with(.bandQ)
        }
    }
}
