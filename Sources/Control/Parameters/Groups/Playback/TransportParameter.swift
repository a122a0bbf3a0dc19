/// Transport of the recording.
public enum TransportParameter: Int, ParameterGroup {
    case play, pause, stop, seek, loop, state, position, duration, overview

    public static let container = "/transport"
    public static let summary = "The recording: play, pause, stop, seek, loop."
    public static var topic: Topic? { .session }

    /// Numbers of ``TransportState``, for realtime code.
    public static var stopped: Int { @_noLocks @_noAllocation get { TransportState.stopped.number } }
    public static var playing: Int { @_noLocks @_noAllocation get { TransportState.playing.number } }
    public static var paused: Int { @_noLocks @_noAllocation get { TransportState.paused.number } }
    public static let longest: ClosedRange<Float> = 0...604_800

    public var spec: ParameterSpec {
        switch self {
        case .play: .impulse("Play", "Starts the recording, or continues where it was paused.", role: .play)
        case .pause: .impulse("Pause", "Halts the recording at its position.", role: .pause)
        case .stop: .impulse("Stop", "Halts the recording and returns to its start.", role: .stop)
        case .seek:
            .init(
                title: "Seek", summary: "Jumps to a time in the recording, with a crossfade.", unit: .second,
                range: Self.longest, initial: .number(0), access: .write, role: .seek
            ).smoothed(.fade)
        case .loop:
            .toggle("Loop", initial: true, "Repeats the recording.", role: .loop)
        case .state: .choice("State", TransportState.allCases.map(\.name), "Playing, paused or stopped.", access: .read, role: .state)
        case .position:
            .seconds("Position", Self.longest, "Current time in the recording.", access: .read, role: .position)
        case .duration:
            .seconds("Duration", Self.longest, "Length of the recording.", access: .read, role: .duration)
        case .overview:
            .counter(
                "Overview", "Number of the picture of the recording that GET /overview returns; 0 while it is being made.", role: .overview)
        }
    }
}

/// State of the transport. The raw value is that of ``TransportParameter/state`` and of binary telemetry.
public enum TransportState: Int, CaseIterable, Sendable {
    case stopped, playing, paused

    /// Raw value, for realtime code.
    public var number: Int { @_noLocks @_noAllocation get { rawValue } }

    private static let names = allCases.map { "\($0)" }

    /// Name in choices and in telemetry.
    public var name: String { Self.names[rawValue] }
}
