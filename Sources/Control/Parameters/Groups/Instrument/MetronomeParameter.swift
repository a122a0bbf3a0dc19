/// Clicks in a tempo, heard by every listener.
public enum MetronomeParameter: Int, ParameterGroup {
    case run, tempo, beats, parts, gain, tap, beat

    public static let container = "/metronome"
    public static let summary = "Clicks in a tempo, heard by every listener."
    public static var topic: Topic? { .effects }

    public var spec: ParameterSpec {
        switch self {
        case .run: .toggle("Metronome", "Clicks from the first beat of a bar on.", role: .metronomeRun)
        case .tempo:
            .init(
                title: "Tempo", summary: "Beats per minute.", unit: .beatsPerMinute, range: 20...300, initial: .number(120),
                role: .metronomeTempo)
        case .beats:
            .init(
                title: "Metre", summary: "Beats per bar; the first one has its own sound.", kind: .integer, range: 1...16,
                initial: .number(4), role: .metronomeBeats)
        case .parts: .integer("Subdivision", 1...8, "Clicks per beat.")
        case .gain: .decibels("Click level", -60...6, initial: -12, "Peak level of each click.")
        case .tap: .impulse("Tap", "Sets the tempo from the time between two or more taps.", role: .metronomeTap)
        case .beat:
            .init(
                title: "Beat", summary: "Place in the bar, from 1; 0 while the metronome is off.", kind: .integer, range: 0...16,
                initial: .number(0), access: .read, role: .metronomeBeat)
        }
    }
}
