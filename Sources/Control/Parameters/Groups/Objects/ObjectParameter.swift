/// A sound object: a point outside the heads from which a sound file or a channel of the live input is heard.
public enum ObjectParameter: Int, ParameterGroup {
    case source, name, azimuth, elevation, distance, gain, mute, state
    case xyz, reference, bubble, air, doppler, directivity, yaw, pitch, solo, group, path, renderer, channel

    public static let container = "/object/{n}"
    public static let summary = "A sound object: its sound, and its place in the world."
    public static var topic: Topic? { .objects }
    /// The largest number of objects.
    public static let most = 256
    /// Bytes of a path.
    public static let longestPath = 4096

    public var spec: ParameterSpec {
        switch self {
        case .source:
            .text(
                "Sound",
                "Name of a sound in the sound folder, input 1 or input 2 for a channel of the live input, or camera: and the name of a "
                    + "browser that offers its microphone at /camera; empty for none.",
                role: .objectSource
            ).smoothed(.fade)
        case .name: .text("Name", "Text for displays.", role: .objectName).limited(to: 512).inOneLine
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
                summary: "Metres from the centre of the heads; the level decreases with it, is the object gain at the reference distance, "
                    + "and is constant up to 0.2 m.",
                kind: .number(logarithmic: true), unit: .metre, range: 0.1...100, initial: .number(1), role: .objectDistance
            ).smoothed(.level)
        case .gain: .decibels("Object gain", -60...12, "Level at the reference distance.").with(.objectGain).smoothed(.level)
        case .mute:
            .toggle("Object mute", "Silences the object; its sound continues unheard.", role: .objectMute).smoothed(.level)
        case .state:
            .text(
                "Sound state",
                "waiting, loading, ready or failed, with a detail, or the channel of the live input or the camera in use; empty for no "
                    + "sound. A sound file that is ready is heard while the transport plays.",
                access: .read,
                role: .objectState)
        default: propagation
        }
    }

    /// Parameters of the sound's path from the object to the heads, and the remaining ones.
    private var propagation: ParameterSpec {
        switch self {
        case .xyz:
            .vector(
                "Place", ["front", "left", "up"], -100...100, initial: [1, 0, 0], unit: .metre,
                "Metres from the centre of the heads; the same as azimuth, elevation and distance.",
                role: .objectXYZ
            ).kept(.nothing)
        case .reference:
            .init(
                title: "Level reference", summary: "Distance in metres at which the level is the object gain.",
                kind: .number(logarithmic: true), unit: .metre, range: 0.1...100, initial: .number(1), role: .objectReference
            ).smoothed(.level)
        case .bubble:
            .init(
                title: "Bubble",
                summary: "Radius around the object in metres: inside, the level no longer rises, and towards half of the radius the sound "
                    + "becomes diffuse; 0 for none.",
                kind: .number(logarithmic: false), unit: .metre, range: 0...20, initial: .number(0), role: .objectBubble
            ).smoothed(.level)
        case .air:
            .toggle(
                "Air absorption", "High frequencies fade with distance, after ISO 9613-1, depending on temperature and humidity.",
                role: .objectAir
            ).smoothed(.level)
        case .doppler:
            .toggle(
                "Propagation delay", "Delays the sound by its travel time to the heads, so that motion changes the pitch.",
                role: .objectDoppler
            ).smoothed(.level)
        case .directivity:
            .init(
                title: "Directivity",
                summary: "0 is omnidirectional, 0.5 a cardioid, 1 a figure of eight; yaw and pitch aim it.",
                range: 0...1, initial: .number(0), role: .objectDirectivity
            ).smoothed(.level)
        case .yaw:
            .degrees(
                "Yaw", -180...180, "Direction of the object's front in the world, positive to the left.", role: .objectYaw
            ).circular.smoothed(.level)
        case .pitch:
            .degrees("Pitch", -90...90, "Elevation of the object's front, positive up.", role: .objectPitch).smoothed(.level)
        case .group:
            .init(
                title: "Group", summary: "Number of the group with which the object moves, turns and changes its level; 0 for none.",
                kind: .integer, range: 0...Float(ObjectGroupParameter.count), initial: .number(0), role: .objectGroup
            ).smoothed(.level).stepped
        case .path:
            .text(
                "Path",
                "Circle or keyframes as JSON, which the object follows in step with the transport; empty for none.",
                role: .objectPath
            ).limited(to: Self.longestPath)
        case .renderer:
            .choice(
                "Renderer", ["direct", "array"], initial: 0,
                "direct renders the object for each listener; array encodes it once for all listeners onto the recording's microphones, "
                    + "through which each listener's method then hears it.",
                role: .objectRenderer
            ).smoothed(.fade)
        case .channel:
            .choice(
                "Channel", SoundChannel.names, initial: 0,
                "Left or right channel of a stereo file, or the average of both. Two objects with one file and different channels play in "
                    + "step.",
                role: .objectChannel
            ).smoothed(.fade)
        default:
            .toggle("Solo", "Silences all objects that are not soloed.", role: .objectSolo).smoothed(.level)
        }
    }
}

/// The channel of a stereo file that a sound object plays.
public enum SoundChannel: String, NamedChoice {
    /// The average of both channels.
    case both
    case left, right
}
