internal import Specification

extension EffectKind {
    public static let phaser = EffectKind(
        Phaser.self, "phaser", "Sweeping notches that are not harmonically related.",
        wetDry: .linear(0.5, former: 0.5),
        benchmarks: [
            .init("phaser, 6 stages")
        ]
    ) { EffectCall.run(Phaser.self, $0) }
}

extension Phaser.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.stages, .count("Stages", 2...12, initial: 6, "Number of allpass sections; two make a notch.")),
        .init(\.rate, .frequency("Rate", 0.05...5, initial: 0.4, "Sweep frequency.")),
        .init(\.frequency, .frequency("Frequency", 100...5000, initial: 800, "Middle of the sweep.")),
        .init(\.depth, .amount("Depth", 0...3, initial: 1.5, "Octaves swept up and down.")),
        .init(
            \.feedback,
            .share("Feedback", -0.9...0.9, initial: 0.3, "Share of the output that is fed back; negative values invert it.")),
        .init(\.phase, .turn("Phase", initial: 60, "Phase lead of the right side.")),
    ]
}
