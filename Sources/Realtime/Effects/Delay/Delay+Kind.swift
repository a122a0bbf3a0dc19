internal import Specification

extension EffectKind {
    public static let delay = EffectKind(
        Delay.self, "delay", "Echoes at equal intervals.",
        wetDry: .equalPower(0.3, former: 0.3),
        benchmarks: [
            .init("delay", peer: 22_500),
            .init("delay, six echoes") { settings, _ in settings.repeats = 6 },
        ]
    ) { EffectCall.run(Delay.self, $0) }
}

extension Delay.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.time, .time("Time", 1...1000, initial: 350, "Time between echoes.").smoothed(.delay)),
        .init(
            \.sync,
            .choice(
                "Sync", notes,
                "Note value that sets the time from the tempo of the metronome. It is halved until all repeats end within 6 s."
            ).smoothed(.delay)),
        .init(\.repeats, .count("Repeats", 0...6, initial: 0, "Number of echoes; 0 repeats endlessly, as set by the feedback.")),
        .init(\.feedback, .share("Feedback", 0...0.95, initial: 0.35, "Level of each echo relative to the previous one.")),
        .init(\.tone, .frequency("Tone", 200...20_000, initial: 6000, "Frequency at which echoes lose 3 dB.")),
        .init(\.pingPong, .toggle("Ping-pong", "Echoes alternate between left and right.").smoothed(.effect)),
    ]

    /// Names of the choices of `sync`, in the order of ``NoteLength``.
    public static let notes =
        ["off", "1/1"] + ["1/2", "1/4", "1/8", "1/16"].flatMap { [$0, $0 + " dotted", $0 + " triplet"] }
}
