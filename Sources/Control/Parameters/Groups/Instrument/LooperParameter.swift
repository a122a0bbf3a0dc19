/// A looper on the live input, after its rack.
public enum LooperParameter: Int, ParameterGroup {
    case record, overdub, play, undo, redo, clear, half, level, quantise, state, length, position, canUndo, canRedo

    public static let container = "/looper"
    public static let summary = "A looper on the live input, after its rack: it records what the rack puts out, up to 60 s."
    public static var topic: Topic? { .effects }
    public static let quantisations = ["off", "beat", "bar"]
    public static var bar: Int { @_noLocks @_noAllocation get { 2 } }

    /// States of the looper.
    public enum State: String, NamedChoice {
        case empty, waiting, recording, playing, overdubbing, stopped
    }

    public var spec: ParameterSpec {
        switch self {
        case .record:
            .impulse(
                "Record", "Begins a loop; pressed again, ends it and plays it; then starts and ends overdubs.",
                role: .looperRecord)
        case .overdub:
            .impulse(
                "Overdub", "Starts or ends adding to the loop; while recording, ends the recording and adds at once.",
                role: .looperOverdub)
        case .play: .impulse("Play or stop", "Stops the loop, or plays it from its beginning.", role: .looperPlay)
        case .undo: .impulse("Undo overdub", "Removes the last overdub.", role: .looperUndo)
        case .redo: .impulse("Redo overdub", "Restores the overdub that was removed last.", role: .looperRedo)
        case .clear: .impulse("Clear loop", "Removes all layers of the loop.", role: .looperClear)
        case .half: .toggle("Half speed", "Plays the loop an octave lower, twice as long. Overdubs need full speed.")
        case .level: .decibels("Loop level", -60...6, "Playback level of the loop; recordings are not affected.").smoothed(.level)
        case .quantise:
            .choice(
                "Quantise", Self.quantisations,
                "Where recording, overdubs and playing start and end while the metronome runs: at once, at beats or at bars.")
        case .state:
            .choice(
                "Loop state", State.names, "State of the looper; waiting means for the next beat or bar.", access: .read, role: .looperState
            )
        case .length:
            .gauge("Loop length", 0...60, unit: .second, "Duration of one round, or of the recording so far.", role: .looperLength)
        case .position: .gauge("Loop position", 0...1, "Playback position in the loop.", role: .looperPosition)
        case .canUndo: .toggle("Can undo", "Whether there is an overdub to remove.", access: .read, role: .looperCanUndo)
        case .canRedo: .toggle("Can redo", "Whether there is an overdub to restore.", access: .read, role: .looperCanRedo)
        }
    }
}
