internal import Specification

extension EffectKind {
    public static let chorus = EffectKind(
        Chorus.self, "chorus", "Modulated copies that make one player sound like several.",
        wetDry: .equalPower(0.5, former: 0.5),
        benchmarks: [
            .init("chorus, 3 voices", peer: 1800)
        ]
    ) { EffectCall.run(Chorus.self, $0) }
}

extension Chorus.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.voices, .count("Voices", 1...8, initial: 3, "Number of copies.")),
        .init(\.rate, .frequency("Rate", 0.05...5, initial: 0.6, "Modulation frequency.")),
        .init(
            \.depth, .time("Depth", 0...10, initial: 3, "Difference between the longest and the shortest delay of a copy.").smoothed(.delay)
        ),
        .init(\.delay, .time("Delay", 5...40, initial: 12, "Mean delay of the first copy.").smoothed(.delay)),
        .init(\.width, .share("Width", initial: 0.7, "Difference between the modulation of the two sides.")),
    ]
}
