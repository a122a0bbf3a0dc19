internal import Specification

extension EffectKind {
    public static let limiter = EffectKind(
        Limiter.self, "limiter", "Keeps the true peak below a ceiling.",
        benchmarks: [
            .init("limiter, true peak")
        ]
    ) { EffectCall.run(Limiter.self, $0) }
}

extension Limiter: Effect {}

extension Limiter.Settings: EffectSettings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.ceiling, .level("Ceiling", -24...0, initial: -1, "Largest true peak of the output.")),
        .init(\.release, .time("Release", 10...2000, initial: 100, "Time in which the gain reduction falls by 63 %.").smoothed(.none)),
        .init(\.gain, .level("Gain", 0...24, initial: 0, "Gain before the limiter.")),
    ]
}
