/// What a person says about the microphone array, over what the recording says. Heard at once, with a crossfade.
///
/// Rows have one number per microphone, from the first on; those without a number are left as they are.
public enum ArraySetting: Int, ParameterGroup {
    case crossover, radius, direction, firstAzimuth, azimuths, gain, delay, mute, inverted

    public static let container = "/array/setting"
    public static let summary = "What you know about the array better than the recording does."
    public static var topic: Topic? { .array }
    public static let directions = ["recording", "clockwise", "counter-clockwise"]

    public var spec: ParameterSpec { declared.stepped }

    private var declared: ParameterSpec {
        switch self {
        case .crossover:
            .init(
                title: "Crossover by hand",
                summary: "Between the two bands, for every method that has two; 0 for each method's own rule.",
                unit: .hertz, range: 0...20_000, initial: .number(0))
        case .radius:
            .init(
                title: "Radius by hand", summary: "Of the sphere, from 0.01 m; 0 for what the recording says.",
                unit: .metre, range: 0...1, initial: .number(0))
        case .direction:
            .choice(
                "Direction", Self.directions,
                "How evenly spaced microphones are numbered, seen from above; or that the recording knows where they are.")
        case .firstAzimuth:
            .degrees("First azimuth", -180...180, "Where the first of evenly spaced microphones is.")
        case .azimuths:
            .list(
                "Azimuths by hand", -360...360, unit: .degree,
                "Where every microphone is, positive to the left; none for the direction's rule.", access: .readWrite)
        case .gain:
            .list(
                "Microphone gains", -60...24, unit: .decibel, "Level of every microphone.", access: .readWrite)
        case .delay:
            .list(
                "Microphone delays", 0...1, unit: .millisecond, "Delay of every microphone.", access: .readWrite)
        case .mute:
            .list(
                "Microphone mutes", 0...1, unit: .none,
                "1 for a microphone that is dead: its neighbours stand in for it.", access: .readWrite)
        case .inverted:
            .list(
                "Microphone polarity", 0...1, unit: .none, "1 for a microphone that comes inverted.", access: .readWrite)
        }
    }
}
