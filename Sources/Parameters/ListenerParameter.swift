/// One listener: a head in the scene, and two ears out.
public enum ListenerParameter: Int, ParameterGroup {
    case ypr, quaternion, front, recenter, method, gain, mute, earAzimuth, fixedMicrophone, latency, crossover
    case autoPrediction, prediction
    case hrtf, headRadius, hrtfState, hrtfProgress

    public static let container = "/listener/{n}"
    public static let summary = "A head in the scene: its pose, and how its ears are rendered."
    public static var topic: Topic? { .head }

    /// The names of the interpolation methods belong to the renderer; ``ParameterTree`` fills them in.
    public var spec: ParameterSpec {
        switch self {
        case .ypr:
            .vector(
                "Head pose", ["yaw", "pitch", "roll"], -360...360, initial: [0, 0, 0], unit: .degree,
                "Where the head points: yaw positive to the left, pitch up, roll with the right ear down.",
                role: .orientationEuler)
        case .quaternion:
            .vector(
                "Head quaternion", ["w", "x", "y", "z"], -1...1, initial: [1, 0, 0, 0], unit: .none,
                "The same pose as a quaternion w x y z from head to world; normalised on arrival.",
                role: .orientationQuaternion)
        case .front:
            .degrees("Front", -180...180, "The tracker yaw that counts as straight ahead.", role: .front)
        case .recenter:
            .impulse("Recenter", "Makes the present yaw the front.", role: .recenter)
        case .method:
            .choice("Method", [], "How the ears are interpolated between microphones.", role: .method)
        case .gain: .decibels("Gain", -60...12, "Level of both ears.")
        case .mute: .toggle("Mute", "Silences both ears; everything keeps running.")
        case .earAzimuth:
            .degrees(
                "Ear azimuth", 60...120, initial: 90, "Where the ears sit on the head, from straight ahead.",
                role: .earAzimuth)
        case .fixedMicrophone:
            .integer(
                "Fixed microphone", 1...64, "The microphone that two-band-fixed has above the crossover, for both ears.")
        case .autoPrediction:
            .toggle(
                "Predict", "Renders the head where it will be when the sound leaves, from how it moves; the time is measured.")
        case .prediction:
            .init(
                title: "Prediction",
                summary: "How far ahead of each pose; with Predict on, what is added to the measured time "
                    + "(what the tracker itself takes, the way of the sound). The word auto turns Predict on with nothing added, "
                    + "off turns it off.",
                unit: .millisecond, range: 0...200, initial: .number(0), words: ["auto", "off"])
        case .latency:
            .gauge(
                "Added latency", 0...4096, unit: .sample, "What method, racks and protection add to the time sound takes.",
                role: .methodLatency)
        case .crossover:
            .gauge(
                "Method's crossover", 0...96_000, unit: .hertz,
                "Between the two bands of the method; 0 for a method that has one band.", role: .crossover)
        case .hrtf:
            .text(
                "Ears of one's own",
                "Path of a SOFA file with the head-related responses that the method personal leads to; none for those that "
                    + "libmysofa brings along.")
        case .headRadius:
            .init(
                title: "Head radius",
                summary: "Of the head whose ears the method personal leads to, 0.05 to 0.15 m; 0 for that of the measured head.",
                unit: .metre, range: 0...0.15, initial: .number(0)
            ).stepped
        case .hrtfState:
            .text("Filters", "What has become of the filters that the method personal needs, in words.", access: .read)
        case .hrtfProgress:
            .gauge("Filters done", 0...1, "Share of the filters that has been worked out.", role: .progress)
        }
    }
}
