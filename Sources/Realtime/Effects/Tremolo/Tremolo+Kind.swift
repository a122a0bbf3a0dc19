internal import Specification

extension EffectKind {
    public static let tremolo = EffectKind(
        Tremolo.self, "tremolo", "Periodic change of loudness.",
        benchmarks: [
            .init("tremolo", peer: 12_250)
        ]
    ) { EffectCall.run(Tremolo.self, $0) }
}

extension Tremolo.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.rate, .frequency("Rate", 0.5...100, initial: 5, "Modulation frequency.")),
        .init(\.depth, .share("Depth", initial: 0.7, "Share of the amplitude that is lost at the quietest point.")),
        .init(\.shape, .share("Shape", initial: 0, "Waveform, from sine to square.")),
        .init(\.phase, .turn("Phase", initial: 0, "Phase lead of the right side.")),
    ]
}
