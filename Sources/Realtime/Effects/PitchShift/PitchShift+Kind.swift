internal import Specification

extension EffectKind {
    public static let pitchShift = EffectKind(
        PitchShift.self, "pitch-shift", "Changes the pitch without changing the speed.",
        wetDry: .equalPower(1, former: 1),
        benchmarks: [
            .init("pitch shift, up a fourth", peer: 1500) { settings, _ in settings.semitones = 5 },
            .init("pitch shift, down a fourth", peer: 1500) { settings, _ in settings.semitones = -5 },
            .init("pitch shift, high quality") { settings, _ in (settings.semitones, settings.quality) = (-5, 1) },
        ]
    ) { EffectCall.run(PitchShift.self, $0) }
}

extension PitchShift.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.semitones, .amount("Semitones", -24...24, initial: 0, "Shift in semitones.")),
        .init(\.cents, .amount("Cents", -100...100, initial: 0, "Additional shift in cents.")),
        .init(
            \.formants,
            .toggle("Keep formants", "Keeps the spectral envelope, so that a voice or an instrument does not change its size.").smoothed(
                .effect)),
        .init(
            \.quality,
            .choice(
                "Quality", ["low-latency", "high", "highest"],
                "Low latency for playing; high for chords and drums, with 128 ms latency at 48 "
                    + "kHz; highest for dense chords, with 213 ms."),
            rebuilds: true),
    ]
}
