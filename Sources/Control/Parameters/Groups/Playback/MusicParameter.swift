/// Music in stereo, for example a radio station, which every listener hears beside the recording and which does not follow the heads.
public enum MusicParameter: Int, ParameterGroup {
    case source, run, loop, gain, state, buffered, title, problem, losses

    public static let container = "/music"
    public static let summary = "Music in stereo that every listener hears: a sound file, or a stream from the network."
    public static var topic: Topic? { .session }

    /// States of the music.
    public enum State: String, NamedChoice {
        case stopped, connecting, buffering, playing, failed
    }

    public var spec: ParameterSpec {
        switch self {
        case .source:
            .text(
                "Music source", "An http:// or https:// address of a stream, or the name of a sound in the sounds folder; empty for none.",
                role: .musicSource
            ).kept(.session)
        case .run: .toggle("Play music", "Plays or stops the source.", role: .musicRun).kept(.session)
        case .loop: .toggle("Loop music", initial: true, "Repeats a file, or a stream that has an end.").kept(.session)
        case .gain: .decibels("Music gain", -60...12, "Level of the music at every listener.").smoothed(.level).kept(.session)
        case .state:
            .choice(
                "Music state", State.names,
                "Stopped, connecting, buffering (waiting for more sound), playing, or failed; problem has the reason.", access: .read,
                role: .musicState)
        case .buffered:
            .gauge(
                "Buffered music", 0...60, unit: .second, "Length of received sound that has not been played yet.", role: .musicBuffered)
        case .title: .text("Music title", "Title that the stream announces, or name of the file.", access: .read, role: .musicTitle)
        case .problem:
            .text("Music problem", "Reason why the music failed or is reconnecting; empty for none.", access: .read, role: .musicProblem)
        case .losses: .counter("Lost connections", "Number of times that the connection was lost.", role: .musicLosses)
        }
    }
}
