internal import Specification

extension EffectKind {
    public static let overdrive = EffectKind(
        Overdrive.self, "overdrive", "Distorts the waveform.",
        wetDry: .linear(1, former: 1),
        benchmarks: [
            .init("overdrive, 12 times the rate")
        ]
    ) { EffectCall.run(Overdrive.self, $0) }
}

extension Overdrive.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.drive, .level("Drive", 0...40, initial: 12, "Gain before the curve.")),
        .init(\.curve, .choice("Curve", Overdrive.Curve.allCases.map { "\($0)" }, "Shape of the distortion.").smoothed(.effect)),
        .init(\.tone, .frequency("Tone", 500...20_000, initial: 8000, "Frequency at which the distorted sound loses 3 dB.")),
        .init(\.level, .level("Level", -24...12, initial: -6, "Gain after the curve.")),
        .init(
            \.follow,
            .share(
                "Follow", initial: 0,
                "Degree to which the output keeps the loudness of the input: at 1, quiet and loud sounds are distorted alike.")),
    ]
}
