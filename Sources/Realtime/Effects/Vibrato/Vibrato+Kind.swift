internal import Specification

extension EffectKind {
    public static let vibrato = EffectKind(
        Vibrato.self, "vibrato", "Periodic change of pitch.",
        wetDry: .equalPower(1),
        benchmarks: [
            .init("vibrato")
        ]
    ) { EffectCall.run(Vibrato.self, $0) }
}

extension Vibrato.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.rate, .frequency("Rate", 0.5...14, initial: 5.5, "Modulation frequency.")),
        .init(\.depth, .amount("Depth", 0...100, initial: 20, "Peak deviation in cents.").smoothed(.delay)),
        .init(\.phase, .turn("Phase", initial: 0, "Phase lead of the right side.")),
    ]
}
