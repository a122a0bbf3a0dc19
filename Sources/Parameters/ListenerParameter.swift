/// One listener: a head in the scene, and two ears out.
public enum ListenerParameter: Int, ParameterGroup {
    case ypr, quaternion, front, recenter, method, gain, mute, earAzimuth, fixedMicrophone, latency, crossover

    public static let container = "/listener/{n}"
    public static let summary = "A head in the scene: its pose, and how its ears are rendered."

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
        case .latency:
            .gauge(
                "Added latency", 0...4096, unit: .sample, "What the method adds to the time sound takes.", role: .methodLatency)
        case .crossover:
            .gauge(
                "Method's crossover", 0...96_000, unit: .hertz,
                "Between the two bands of the method; 0 for a method that has one band.", role: .crossover)
        }
    }
}
