internal import Specification

extension EffectKind {
    public static let gate = EffectKind(
        Gate.self, "gate", "Silences quiet sound.",
        benchmarks: [
            .init("gate")
        ]
    ) { EffectCall.run(Gate.self, $0) }
}

extension Gate.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.threshold, .level("Threshold", -90...0, initial: -50, "Level above which the gate opens.").smoothed(.none)),
        .init(
            \.hysteresis, .level("Hysteresis", 0...24, initial: 6, "Distance below the threshold at which the gate closes.").smoothed(.none)
        ),
        .init(\.attack, .time("Attack", 0.2...50, initial: 1, "Time in which the gate opens to 63 %.").smoothed(.none)),
        .init(
            \.hold,
            .time(
                "Hold", 0...1000, initial: 50, "Time the gate stays open after the last loud sample; at least 12.5 ms.", logarithmic: false
            ).smoothed(.none)),
        .init(\.release, .time("Release", 5...2000, initial: 100, "Time in which the gate closes to 37 %.").smoothed(.none)),
        .init(\.range, .level("Range", -90...0, initial: -80, "Gain of the closed gate; at -90 dB it is silent.")),
    ]
}
