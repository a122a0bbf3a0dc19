/// Short sounds, heard as soon as they are asked for.
public enum CueParameter: Int, ParameterGroup {
    case play, gain, stop

    public static let container = "/cue"
    public static let summary = "Short sounds in memory, several at once, which every listener hears."
    public static var topic: Topic? { .effects }

    /// The names of cues belong to the program; ``ParameterTree`` fills them in.
    public var spec: ParameterSpec {
        switch self {
        case .play: .choice("Play cue", [], "Begins with the next block.", access: .write, role: .cuePlay)
        case .gain: .decibels("Cue level", -60...12, initial: -6, "Of cues that begin from now on.")
        case .stop: .impulse("Stop cues", "Ends all that sound.")
        }
    }
}
