internal import Specification

extension EffectKind {
    public static let compressor = EffectKind(
        Compressor.self, "compressor", "Reduces the level of loud sound.",
        benchmarks: [
            .init("compressor", peer: 3070)
        ]
    ) { EffectCall.run(Compressor.self, $0) }
}

extension Compressor.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(
            \.threshold,
            .level("Threshold", -60...0, initial: -20, "Level above which the gain is reduced.").with(.curveThreshold)),
        .init(
            \.ratio,
            .amount(
                "Ratio", 1...20, initial: 3, logarithmic: true,
                "Change of the input level in dB for 1 dB at the output, above the threshold."
            )
            .with(.curveRatio)),
        .init(\.knee, .level("Knee", 0...24, initial: 6, "Width of the transition around the threshold.").with(.curveKnee)),
        .init(\.attack, .time("Attack", 0.1...200, initial: 10, "Time in which the gain reduction rises by 63 %.")),
        .init(\.release, .time("Release", 10...2000, initial: 150, "Time in which the gain reduction falls by 63 %.")),
        .init(\.makeUp, .level("Make-up", 0...24, initial: 0, "Output gain.").with(.curveMakeUp)),
        .init(
            \.sideChain,
            .frequency(
                "Side-chain", 20...500, initial: 20,
                "Cutoff frequency of the high-pass filter before the detector; off at 20 Hz.")),
    ]
}
