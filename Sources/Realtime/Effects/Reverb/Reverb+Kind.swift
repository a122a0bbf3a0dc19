internal import Specification

extension EffectKind {
    public static let reverb = EffectKind(
        Reverb.self, "reverb", "Reverberation of a room.",
        wetDry: .equalPower(0.25, former: 0.25),
        benchmarks: [
            .init("reverb, 32 lines", peer: 1000),
            .init("reverb, bass apart", peer: 1000) { settings, _ in settings.bass = 1.3 },
        ]
    ) { EffectCall.run(Reverb.self, $0) }
}

extension Reverb.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.decay, .duration("Decay", 0.1...20, initial: 1.8, "Time in which middle frequencies decay by 60 dB.")),
        .init(
            \.size, .amount("Size", 0.3...2, initial: 1, logarithmic: true, "Size of the room; 1 is a hall.").smoothed(RoomFade.smoothing)),
        .init(
            \.preDelay,
            .time("Pre-delay", 0...200, initial: 15, "Delay before the reverberation.", logarithmic: false).smoothed(RoomFade.smoothing)),
        .init(\.damping, .share("Damping", initial: 0.5, "Shortens the decay of high frequencies.")),
        .init(
            \.bass,
            .amount(
                "Bass", 0.3...2, initial: 1, logarithmic: true,
                "Decay time of low frequencies relative to that of middle frequencies.")),
        .init(\.modulation, .share("Modulation", initial: 0.3, "Slow modulation that prevents metallic ringing.").smoothed(.modulation)),
        .init(\.width, .share("Width", initial: 1, "Stereo width; 0 is mono.")),
    ]
}
