internal import Specification

extension EffectKind {
    public static let flanger = EffectKind(
        Flanger.self, "flanger", "Comb filter with sweeping notches.",
        wetDry: .linear(0.5, former: 0.5),
        benchmarks: [
            .init("flanger", peer: 3800)
        ]
    ) { EffectCall.run(Flanger.self, $0) }
}

extension Flanger.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.rate, .frequency("Rate", 0.1...2, initial: 0.3, "Sweep frequency.")),
        .init(
            \.depth, .time("Depth", 0...10, initial: 4, "Difference between the longest and the shortest delay.").smoothed(.delay),
            former: "reach"),
        .init(\.delay, .time("Delay", 0.1...5, initial: 0.5, "Shortest delay.").smoothed(.delay)),
        .init(
            \.feedback,
            .share("Feedback", -0.95...0.95, initial: 0.4, "Share of the delayed sound that is fed back; negative values invert it.")),
        .init(\.phase, .turn("Phase", initial: 90, "Phase lead of the right side.")),
    ]
}
