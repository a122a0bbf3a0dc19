/// A group of listeners whose clients play together.
public enum StreamGroupParameter: Int, ParameterGroup {
    case name, delay, mute, move, members, recording

    public static let container = "/group/{n}"
    public static let summary = "Listeners whose clients play together, in step with the engine; /listener/N/group chooses one."
    public static var topic: Topic? { .engine }
    /// Number of groups.
    public static let count = 8

    public var spec: ParameterSpec {
        switch self {
        case .name: .text("Group name", "Displayed name; one line.", role: .groupName).limited(to: 60).kept(.session)
        case .delay:
            .init(
                title: "Group delay",
                summary: "Delay from the engine to the sound, common to all members, which then play in synchrony; 0 lets each play as "
                    + "early as possible.",
                unit: .millisecond, range: 0...1000, initial: .number(200), role: .groupDelay
            ).kept(.session)
        case .mute: .toggle("Group mute", "Mutes all members, and those that join; off unmutes them.", role: .groupMute).kept(.session)
        case .move:
            .init(
                title: "Move group", summary: "Moves all members to the group with this number; 0 for none.", kind: .integer,
                range: 0...Float(Self.count), initial: .number(0), access: .write, role: .groupMove)
        case .members: .counter("Members", "Number of listeners in the group.", role: .groupMembers)
        case .recording:
            .text(
                "Group recording",
                "Name of a packed recording that the pages of all members play instead of "
                    + "the engine's sound; empty for the engine's sound.",
                role: .groupRecording
            ).limited(to: 512).kept(.session)
        }
    }
}
