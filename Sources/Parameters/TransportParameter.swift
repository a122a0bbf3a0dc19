/// Where the recording is, and whether it runs.
public enum TransportParameter: Int, ParameterGroup {
    case play, pause, stop, seek, loop, state, position, duration

    public static let container = "/transport"
    public static let summary = "The recording: play, pause, stop, seek, loop."
    public static var topic: Topic? { .session }

    public static let states = ["stopped", "playing", "paused"]
    /// Numbers of ``states``.
    public static var stopped: Int { @_noLocks @_noAllocation get { 0 } }
    public static var playing: Int { @_noLocks @_noAllocation get { 1 } }
    public static var paused: Int { @_noLocks @_noAllocation get { 2 } }
    public static let longest: ClosedRange<Float> = 0...604_800

    public var spec: ParameterSpec {
        switch self {
        case .play: .impulse("Play", "Starts, or goes on from where it paused.", role: .play)
        case .pause: .impulse("Pause", "Holds the recording where it is.", role: .pause)
        case .stop: .impulse("Stop", "Holds the recording and returns to its start.", role: .stop)
        case .seek:
            .init(
                title: "Seek", summary: "Goes to a time in the recording, with a crossfade.", unit: .second,
                range: Self.longest, initial: .number(0), access: .write, role: .seek)
        case .loop:
            .toggle("Loop", initial: true, "Goes on from the start when the end is reached.", role: .loop)
        case .state: .choice("State", Self.states, "What the recording is doing.", access: .read, role: .state)
        case .position:
            .seconds("Position", Self.longest, "Where the recording is.", access: .read, role: .position)
        case .duration:
            .seconds("Duration", Self.longest, "How long the recording is.", access: .read, role: .duration)
        }
    }
}
