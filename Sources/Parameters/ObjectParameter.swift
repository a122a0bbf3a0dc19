/// A sound object: a point that a sound file or a channel of the live input comes from, outside everybody's head.
public enum ObjectParameter: Int, ParameterGroup {
    case source, name, azimuth, elevation, distance, gain, mute, state

    public static let container = "/object/{n}"
    public static let summary = "A sound object: where it stands in the world, and what it sounds."
    public static var topic: Topic? { .objects }
    /// How many there can be.
    public static let most = 64

    public var spec: ParameterSpec {
        switch self {
        case .source:
            .text(
                "Sound", "Name of a sound in the sound folder, or input 1 or input 2 for a channel of the live input; empty for none.",
                role: .objectSource)
        case .name: .text("Name", "What people call it.", role: .objectName)
        case .azimuth:
            .degrees(
                "Azimuth", -180...180, "From the world's front, positive to the left.", role: .objectAzimuth)
        case .elevation: .degrees("Elevation", -90...90, "Positive up.", role: .objectElevation)
        case .distance:
            .init(
                title: "Distance", summary: "From the middle of the heads; the level falls with it, 0 dB at 1 m.",
                kind: .number(logarithmic: true), unit: .metre, range: 0.1...100, initial: .number(1), role: .objectDistance)
        case .gain: .decibels("Object gain", -60...12, "Its level at 1 m.").with(.objectGain)
        case .mute: .toggle("Mute object", "Silences it; its sound goes on unheard.", role: .objectMute)
        case .state:
            .text("Sound's state", "What has become of its sound, in words; empty for no sound.", access: .read, role: .objectState)
        }
    }
}
