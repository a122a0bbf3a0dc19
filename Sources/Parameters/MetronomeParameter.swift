/// Clicks in a tempo, which every listener hears.
public enum MetronomeParameter: Int, ParameterGroup {
    case run, tempo, beats, parts, gain, tap, beat

    public static let container = "/metronome"
    public static let summary = "Clicks in a tempo, which every listener hears."
    public static var topic: Topic? { .effects }

    public var spec: ParameterSpec {
        switch self {
        case .run: .toggle("Metronome", "From the first beat of a bar on.", role: .metronomeRun)
        case .tempo:
            .init(
                title: "Tempo", summary: "Beats per minute.", range: 20...300, initial: .number(120),
                role: .metronomeTempo)
        case .beats:
            .init(
                title: "Metre", summary: "Beats per bar; the first sounds otherwise.", kind: .integer, range: 1...16,
                initial: .number(4), role: .metronomeBeats)
        case .parts: .integer("Subdivision", 1...8, "Clicks per beat.")
        case .gain: .decibels("Click level", -60...6, initial: -12, "Of the clicks.")
        case .tap: .impulse("Tap", "Two or more in time set the tempo.", role: .metronomeTap)
        case .beat:
            .init(
                title: "Beat", summary: "Which beat of the bar it is; 0 while it stands.", kind: .integer, range: 0...16,
                initial: .number(0), access: .read, role: .metronomeBeat)
        }
    }
}
