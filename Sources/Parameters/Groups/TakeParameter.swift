/// Takes: recordings of what is heard.
public enum TakeParameter: Int, ParameterGroup {
    case start, stop, name, format, preRoll, usePreRoll, kept, recording, current, duration, lost, remaining, problem, changes, delete

    public static let container = "/take"
    public static let summary = "Takes: recordings of what is heard, with the motion of all heads and objects and the session."
    public static var topic: Topic? { .session }
    public static let formats = ["wav", "w64", "caf", "flac"]
    /// Seconds.
    public static let preRolls: ClosedRange<Float> = 0...300

    public var spec: ParameterSpec {
        switch self {
        case .start: .impulse("Record take", "Begins a take in a new folder; its sources are chosen in /take/source.", role: .takeStart)
        case .stop: .impulse("Stop take", "Completes the take that is being recorded.", role: .takeStop)
        case .name:
            .text(
                "Take name", "Added to date and time in the names of the next folders; empty for none.",
                role: .takeName
            ).limited(to: 400).kept(.session)
        case .format:
            .choice(
                "Take format", Self.formats,
                "Format of the sound files: 32-bit floats in WAV (RF64 beyond 4 GiB), W64 or CAF; 24 bits in FLAC, in which sources of "
                    + "more than 8 channels are W64 files.", role: .takeFormat
            ).kept(.session)
        case .preRoll:
            .init(
                title: "Pre-roll", summary: "Seconds before the present that are kept in memory; takes can begin with them.",
                unit: .second, range: Self.preRolls, initial: .number(30), role: .takePreRoll
            ).kept(.session)
        case .usePreRoll:
            .toggle("Begin with pre-roll", "Whether they contain the seconds before their start, too.", role: .takeUsePreRoll).kept(
                .session)
        case .delete: .text("Delete take", "Name of a take's folder, which goes to the trash.", access: .write, role: .takeDelete)
        default: report
        }
    }

    private var report: ParameterSpec {
        switch self {
        case .recording: .toggle("Recording take", "Whether one is being written.", access: .read, role: .takeRecording)
        case .current: .text("Present take", "Name of the take that is being recorded; empty for none.", access: .read, role: .takeCurrent)
        case .duration:
            .gauge("Take length", 0...1e7, unit: .second, "Time so far, pre-roll included.", role: .takeDuration)
        case .kept: .gauge("Kept pre-roll", Self.preRolls, unit: .second, "Pre-roll of all sources that is in memory.", role: .takeKept)
        case .lost:
            .gauge(
                "Lost sound", 0...1e7, unit: .second,
                "Sound that the take lacks, because the disk was slow or a source was silent; it is silence in the file.", role: .takeLost)
        case .remaining:
            .gauge(
                "Remaining time", 0...1e7, unit: .second, "Time for which the disk has room for takes of the present sources.",
                role: .takeRemaining)
        case .problem:
            .text("Take problem", "Why the last take ended early; empty for no problem.", access: .read, role: .takeProblem)
        default: .counter("Changes of takes", "Rises when a take was begun, completed or deleted.", role: .takeChanges)
        }
    }
}
