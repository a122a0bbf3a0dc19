/// One listener: a head in the scene, and the sound at its two ears.
public enum ListenerParameter: Int, ParameterGroup {
    case ypr, quaternion, front, recenter, method, gain, mute, earAzimuth, fixedMicrophone, latency, crossover
    case autoPrediction, prediction
    case hrtf, headRadius, hrtfEqualisation, hrtfState, hrtfProgress
    case output, name, group
    case xyz

    public static let container = "/listener/{n}"
    public static let summary = "A head in the scene: its pose, and the rendering of its ears."
    public static var topic: Topic? { .head }
    public static let order: [Self] = [
        .method, .gain, .mute, .front, .xyz, .earAzimuth, .fixedMicrophone, .autoPrediction, .prediction, .name, .hrtf, .hrtfState,
        .hrtfProgress, .hrtfEqualisation, .headRadius,
    ]
    public static let equalisations = ["neutral", "diffuse-field", "none"]

    public var spec: ParameterSpec {
        switch self {
        case .ypr, .quaternion, .front, .xyz, .recenter, .autoPrediction, .prediction: headSpec
        case .hrtf, .headRadius, .hrtfEqualisation, .hrtfState, .hrtfProgress: hrtfSpec
        case .method:
            .choice("Method", from: .methods, "Interpolation between microphones.", role: .method).smoothed(.fade)
        case .gain: .decibels("Gain", -60...12, "Level of both ears.", role: .listenerGain).smoothed(.level)
        case .mute: .toggle("Mute", "Silences both ears; everything keeps running.", role: .listenerMute).smoothed(.level)
        case .earAzimuth:
            .degrees(
                "Ear azimuth", 60...120, initial: 90, "Angle of the ears on the head, from straight ahead.",
                role: .earAzimuth
            ).smoothed(.block)
        case .fixedMicrophone:
            .integer(
                "Fixed microphone", 1...64,
                "Microphone that the method two-band-fixed uses above the crossover, for both ears."
            ).smoothed(.block).only(for: "two-band-fixed")
        case .output:
            .text(
                "Device channels",
                "Two channels of the sound device for the ears, counted from 1, such as 3,4; empty for none. Two listeners cannot share a "
                    + "channel.", role: .listenerOutput
            ).kept(.session)
        case .name:
            .text("Name", "Displayed name. Sessions keep network listeners that have a name.", role: .listenerName)
                .kept(.session).limited(to: 60).inOneLine
        case .group:
            .integer(
                "Stream group", 0...Float(StreamGroupParameter.count),
                "Group of clients that play in synchrony, see /group/N; 0 for none.", role: .listenerGroup
            ).kept(.session)
        case .latency:
            .gauge(
                "Added latency", 0...4096, unit: .sample, "Latency of the method, the racks and the protection.",
                role: .methodLatency)
        default:
            .gauge(
                "Method crossover", 0...96_000, unit: .hertz,
                "Frequency between the two bands of the method; 0 for a method with one band.", role: .crossover)
        }
    }

    private var headSpec: ParameterSpec {
        switch self {
        case .ypr:
            .vector(
                "Head pose", ["yaw", "pitch", "roll"], -180...180, initial: [0, 0, 0], unit: .degree,
                "Direction of the head: yaw positive to the left, pitch up, roll with the right ear down.",
                role: .orientationEuler
            ).circular.smoothed(.block).kept(.nothing)
        case .quaternion:
            .vector(
                "Head quaternion", ["w", "x", "y", "z"], -1...1, initial: [1, 0, 0, 0], unit: .none,
                "The same pose as w x y z from head to world; scaled to length 1 when received.",
                role: .orientationQuaternion
            ).rotation.smoothed(.block).kept(.nothing)
        case .front:
            .degrees("Forward offset", -180...180, "Tracker yaw that counts as straight ahead.", role: .front).circular
                .smoothed(.block).kept(.session)
        case .xyz:
            .vector(
                "Place", ["front", "left", "up"], -100...100, initial: [0, 0, 0], unit: .metre,
                "Position of the listener in metres from the origin of the world, where recordings were made; applies to sound objects.",
                role: .listenerPlace
            ).smoothed(.level)
        case .recenter:
            .impulse("Recenter", "Makes the current yaw the front.", role: .recenter)
        case .autoPrediction:
            .toggle(
                "Predict",
                "Renders the head where it is expected to be when the sound is heard; the delay is measured.")
        default:
            .init(
                title: "Prediction",
                summary: "Time by which the head is predicted beyond each pose; with Predict on, it is added to the measured time, for "
                    + "delays in the tracker itself. Over OSC, the word auto turns Predict on without an addition; off turns it off.",
                unit: .millisecond, range: 0...200, initial: .number(0), words: ["auto", "off"])
        }
    }

    private var hrtfSpec: ParameterSpec {
        switch self {
        case .hrtf:
            .text(
                "HRTF file (SOFA)",
                "Name of a file in the hrtf folder, for sound objects and for the method hrtf; empty for the rigid "
                    + "sphere, or the file of libmysofa with the method hrtf.",
                role: .hrtfFile
            ).smoothed(.filters)
        case .headRadius:
            .init(
                title: "Head radius",
                summary: "Radius to which the HRTF is scaled, 0.05 to 0.15 m; 0 keeps that of the measured head.",
                unit: .metre, range: 0...0.15, initial: .number(0)
            ).stepped.smoothed(.filters)
        case .hrtfEqualisation:
            .choice(
                "HRTF equalisation", Self.equalisations,
                "Colour of the HRTF that is kept: neutral removes what is common to all directions on the "
                    + "horizon, such as the ear canal's resonance; diffuse-field makes the mean over all directions flat; none keeps "
                    + "all. The level on speech is the same."
            ).stepped.smoothed(.filters)
        case .hrtfState:
            .text(
                "HRTF state",
                "State of the HRTF's filters: waiting, loading, ready or failed, with a detail; empty without an HRTF.", access: .read)
        default:
            .gauge("HRTF progress", 0...1, "Share of the filters that has been computed.", role: .progress)
        }
    }
}
