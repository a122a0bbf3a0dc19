/// A sound object: a point outside the heads from which a sound file or a channel of the live input is heard.
public enum ObjectParameter: Int, ParameterGroup {
    case source, name, azimuth, elevation, distance, gain, mute, state

    public static let container = "/object/{n}"
    public static let summary = "A sound object: its sound, and its place in the world."
    public static var topic: Topic? { .objects }
    /// The largest number of objects.
    public static let most = 64

    public var spec: ParameterSpec {
        switch self {
        case .source:
            .text(
                "Sound",
                "Name of a sound in the sound folder, or input 1 or input 2 for a channel of the live input; empty for none.",
                role: .objectSource
            ).smoothed(.fade)
        case .name: .text("Name", "Text for displays.", role: .objectName).limited(to: 512)
        case .azimuth:
            .degrees(
                "Azimuth", -180...180, "Angle from the front of the world, positive to the left.", role: .objectAzimuth
            ).circular.smoothed(.block)
        case .elevation:
            .degrees("Elevation", -90...90, "Angle from the horizontal plane, positive up.", role: .objectElevation)
                .smoothed(.block)
        case .distance:
            .init(
                title: "Distance",
                summary: "Metres from the centre of the heads; the level falls with it, from the object gain at 1 m, and is the same "
                    + "up to 0.2 m.",
                kind: .number(logarithmic: true), unit: .metre, range: 0.1...100, initial: .number(1), role: .objectDistance
            ).smoothed(.level)
        case .gain: .decibels("Object gain", -60...12, "Level at a distance of 1 m.").with(.objectGain).smoothed(.level)
        case .mute:
            .toggle("Object mute", "Silences the object; its sound goes on unheard.", role: .objectMute).smoothed(.level)
        case .state:
            .text(
                "Sound state",
                "State of the object's sound: waiting, loading, ready or failed, with a detail, or the channel of the live input; "
                    + "empty for no sound.",
                access: .read,
                role: .objectState)
        }
    }
}
