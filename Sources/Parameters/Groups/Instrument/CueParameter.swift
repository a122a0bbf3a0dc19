/// Short sounds that play at once on request.
public enum CueParameter: Int, ParameterGroup {
    case play, gain, stop

    public static let container = "/cue"
    public static let summary = "Short sounds in memory, several at a time, heard by every listener."
    public static var topic: Topic? { .effects }

    public var spec: ParameterSpec {
        switch self {
        case .play: .choice("Play cue", from: .cues, "Starts a sound with the next block.", access: .write, role: .cuePlay)
        case .gain: .decibels("Cue level", -60...12, initial: -6, "Applies to those that start from now on.")
        case .stop: .impulse("Stop cues", "Ends every sound that a cue has started, with a short fade.")
        }
    }
}
