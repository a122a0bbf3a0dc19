/// Makes loud sound less loud.
public enum CompressorParameter: Int, ParameterGroup {
    case threshold, ratio, knee, attack, release, makeUp, sideChain

    public static let container = "/slot/{n}/compressor"
    public static let summary = "Makes loud sound less loud."

    public var spec: ParameterSpec {
        switch self {
        case .threshold: .level("Threshold", -60...0, initial: -20, "Level from which it works.").with(.curveThreshold)
        case .ratio:
            .amount("Ratio", 1...20, initial: 3, logarithmic: true, "Decibels in for a decibel out above it.")
                .with(.curveRatio)
        case .knee: .level("Knee", 0...24, initial: 6, "Over which the slope changes.").with(.curveKnee)
        case .attack: .time("Attack", 0.1...200, initial: 10, "In which 63 % of a reduction is reached.")
        case .release: .time("Release", 10...2000, initial: 150, "In which 63 % of a reduction is gone.")
        case .makeUp: .level("Make-up", 0...24, initial: 0, "Added to the output.").with(.curveMakeUp)
        case .sideChain:
            .pitch("Side-chain", 20...500, initial: 20, "Below it the detector hears less; at 20 Hz, everything.")
        }
    }
}
