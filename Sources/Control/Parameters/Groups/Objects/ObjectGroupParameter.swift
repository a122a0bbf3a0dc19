/// A group of sound objects that move, turn and change their level together.
public enum ObjectGroupParameter: Int, ParameterGroup {
    case name, xyz, yaw, gain, mute, members

    public static let container = "/object/group/{n}"
    public static let summary = "Objects that move, turn and change their level together; /object/N/group chooses one."
    public static var topic: Topic? { .objects }
    /// Number of groups.
    public static let count = 16

    public var spec: ParameterSpec {
        switch self {
        case .name: .text("Group name", "Text for displays.", role: .objectGroupName).limited(to: 512).inOneLine
        case .xyz:
            .vector(
                "Group place", ["front", "left", "up"], -100...100, initial: [0, 0, 0], unit: .metre,
                "Centre of the group, in metres from the centre of the heads; setting it moves all members.",
                role: .objectGroupXYZ
            ).kept(.nothing)
        case .yaw:
            .degrees(
                "Group turn", -180...180, "Angle by which the members were turned around the centre of the group, positive to the left.",
                role: .objectGroupYaw
            ).circular.stepped
        case .gain: .decibels("Group gain", -60...12, "Level of all members, added to their own.").with(.objectGroupGain).smoothed(.level)
        case .mute: .toggle("Group mute", "Silences all members.", role: .objectGroupMute).smoothed(.level)
        case .members: .counter("Members", "Number of objects in the group.", role: .objectGroupMembers)
        }
    }
}
