/// A place that keeps one cue of the list. The order of places has no meaning: cues are ordered by their numbers.
public enum CueListEntryParameter: Int, ParameterGroup {
    case cue, fire

    public static let container = "/cue-list/{n}"
    public static let summary = "A cue of the list."
    public static var topic: Topic? { .session }
    /// The largest number of cues.
    public static let most = 100
    /// Bytes of a cue's text.
    public static let longest = 1024

    public var spec: ParameterSpec {
        switch self {
        case .cue:
            .text(
                "Cue",
                "NUMBER [\"NAME\"] [at HH:MM:SS | at position S] [wait S] [continue S | follow] ACTION, for example 1.5 \"Night\" wait 2 "
                    + "scene Dark fade 5; empty for none.",
                role: .cueListEntry
            ).kept(.session).limited(to: Self.longest)
        case .fire: .impulse("Fire", "Performs the cue; a MIDI controller can be mapped to it.", role: .cueListEntryFire)
        }
    }
}
