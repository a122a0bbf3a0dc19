/// Takes: recordings of what is heard.
public enum TakeParameter: Int, ParameterGroup {
    case start, stop, name, format, preRoll, usePreRoll, kept, recording, current, duration, lost, remaining, problem, changes, delete

    public static let container = "/take"
    public static let summary = "Takes: recordings of what is heard, with the motion of all heads and objects and the session."
    public static var topic: Topic? { .session }
    public static let formats = ["wav", "w64", "caf", "flac"]
    /// Range of the pre-roll, seconds.
    public static let preRolls: ClosedRange<Float> = 0...300

    public var spec: ParameterSpec {
        switch self {
        case .start: .impulse("Record take", "Starts a take in a new folder; /take/source selects its sources.", role: .takeStart)
        case .stop: .impulse("Stop take", "Completes the take that is being recorded.", role: .takeStop)
        case .name:
            .text(
                "Take name", "Name that follows date and time in the names of new folders; empty for none.",
                role: .takeName
            ).limited(to: 400).kept(.session)
        case .format:
            .choice(
                "Take format", Self.formats,
                "Format of the sound files: 32-bit floats in WAV (RF64 beyond 4 GiB), W64 or CAF; 24 bits in FLAC, sources of more than 8 "
                    + "channels are then W64 files.", role: .takeFormat
            ).kept(.session)
        case .preRoll:
            .init(
                title: "Pre-roll", summary: "Length of the latest sound that is kept in memory; takes can begin with it.",
                unit: .second, range: Self.preRolls, initial: .number(30), role: .takePreRoll
            ).kept(.session)
        case .usePreRoll:
            .toggle("Begin with pre-roll", "Whether takes include the pre-roll.", role: .takeUsePreRoll).kept(
                .session)
        case .delete: .text("Delete take", "Name of a take's folder, which goes to the trash.", access: .write, role: .takeDelete)
        default: report
        }
    }

    private var report: ParameterSpec {
        switch self {
        case .recording: .toggle("Recording take", "Whether a take is being recorded.", access: .read, role: .takeRecording)
        case .current: .text("Present take", "Name of the take that is being recorded; empty for none.", access: .read, role: .takeCurrent)
        case .duration:
            .gauge("Take length", 0...1e7, unit: .second, "Length so far, including the pre-roll.", role: .takeDuration)
        case .kept:
            .gauge(
                "Kept pre-roll", Self.preRolls, unit: .second, "Length of the pre-roll in memory, common to all sources.", role: .takeKept)
        case .lost:
            .gauge(
                "Lost sound", 0...1e7, unit: .second,
                "Sound missing in the take, because the disk was slow or a source delivered "
                    + "nothing; it is silence in the file.", role: .takeLost)
        case .remaining:
            .gauge(
                "Remaining time", 0...1e7, unit: .second, "Recording time left on the disk with the current sources.",
                role: .takeRemaining)
        case .problem:
            .text("Take problem", "Reason why the last take ended early; empty for none.", access: .read, role: .takeProblem)
        default: .counter("Changes of takes", "Increases when a take was started, completed or deleted.", role: .takeChanges)
        }
    }
}
