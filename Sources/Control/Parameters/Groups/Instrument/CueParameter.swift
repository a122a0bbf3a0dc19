/// Short sounds that play at once on request.
public enum CueParameter: Int, ParameterGroup {
    case play, gain, stop, fadeOut

    /// Longest fade, seconds.
    public static let longestFade: Float = 60

    public static let container = "/cue"
    public static let summary = "Short sounds in memory, several at a time, heard by every listener."
    public static var topic: Topic? { .effects }

    public var spec: ParameterSpec {
        switch self {
        case .play: .choice("Play cue", from: .cues, "Starts a sound with the next block.", access: .write, role: .cuePlay)
        case .gain: .decibels("Cue level", -60...12, initial: -6, "Level of cues started from now on.")
        case .stop: .impulse("Stop cues", "Stops all cues with a short fade.")
        case .fadeOut:
            ParameterSpec(
                title: "Fade out cues", summary: "Fades out all cues over this many seconds.", unit: .second,
                range: 0...Self.longestFade, initial: .number(0), access: .write)
        }
    }
}
