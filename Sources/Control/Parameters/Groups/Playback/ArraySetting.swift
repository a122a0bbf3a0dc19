/// Corrections of the microphone array, which override those of the recording. The sound crossfades to them.
///
/// Rows have one number for each microphone, from the first on; microphones without a number are left unchanged.
public enum ArraySetting: Int, ParameterGroup {
    case crossover, radius, direction, firstAzimuth, azimuths, gain, delay, mute, inverted

    public static let container = "/array/setting"
    public static let summary = "Settings of the microphone array that override those of the recording."
    public static var topic: Topic? { .array }
    public static let directions = ["recording", "clockwise", "counter-clockwise"]

    public var spec: ParameterSpec { declared.stepped }

    private var declared: ParameterSpec {
        switch self {
        case .crossover:
            .init(
                title: "Crossover override",
                summary: "Frequency between the two bands of every two-band method; 0 applies each method's own rule.",
                unit: .hertz, range: 0...20_000, initial: .number(0)
            ).smoothed(.level)
        case .radius:
            .init(
                title: "Radius override", summary: "Radius of the sphere, from 0.01 m; 0 keeps the recording's.",
                unit: .metre, range: 0...1, initial: .number(0)
            ).smoothed(.fade)
        case .direction:
            .choice(
                "Direction", Self.directions,
                "Order in which evenly spaced microphones are numbered, seen from above; recording keeps the azimuths of the recording."
            ).smoothed(.fade)
        case .firstAzimuth:
            .degrees("First azimuth", -180...180, "Direction of the first of evenly spaced microphones.").circular
                .smoothed(.fade)
        case .azimuths:
            .list(
                "Azimuth overrides", -360...360, unit: .degree,
                "Azimuth of every microphone in degrees, positive to the left; an empty row applies the direction and first azimuth.",
                access: .readWrite
            ).circular.smoothed(.fade)
        case .gain:
            .list(
                "Microphone gains", -60...24, unit: .decibel, "In dB for each channel, in the order of the recording.", access: .readWrite
            ).smoothed(.level)
        case .delay:
            .list(
                "Microphone delays", 0...1, unit: .millisecond, "In milliseconds for each channel, in the order of the recording.",
                access: .readWrite
            ).smoothed(.fade)
        case .mute:
            .list(
                "Microphone mutes", 0...1, unit: .none,
                "1 for a microphone that is not used; its neighbours replace it.", access: .readWrite, role: .microphoneMute
            ).smoothed(.fade)
        case .inverted:
            .list(
                "Microphone polarity", 0...1, unit: .none, "1 for each channel that is inverted.", access: .readWrite
            ).smoothed(.level)
        }
    }
}
