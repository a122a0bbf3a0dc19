import Effects
import Parameters

extension EffectKind {
    static let toy = EffectKind(
        Toy.self, "toy", "Changes the level.",
        benchmarks: [
            .init("toy"),
            .init("toy, inverted") { settings, _ in settings.isInverted = 1 },
        ]
    ) { EffectCall.run(Toy.self, $0) }
}

extension Toy.Settings {
    static let parameters: [EffectParameter<Self>] = [
        .init(\.gain, .amount("Gain", 0...2, initial: 0.5, "Factor of the level.")),
        .init(\.isInverted, .toggle("Invert", "Inverts the sound.")),
    ]
}
