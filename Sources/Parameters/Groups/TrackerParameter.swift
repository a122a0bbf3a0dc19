/// One head tracker: its source, how it is worn, and its state.
public enum TrackerParameter: Int, ParameterGroup {
    case source, listener, axes, invertYaw, invertPitch, invertRoll, centre, mount, recenter, calibrate, cancel, timeout
    case returnTime, drift, orientation
    case state, inCharge, rate, age, pose, correction, guide, problem

    public static let container = "/tracker/{n}"
    public static let summary = "A head tracker: the source of its poses, how it is worn, and its state."
    public static var topic: Topic? { .trackers }
    public static var aliases: [(name: String, parameter: Self)] { [("glide", .returnTime)] }

    public var spec: ParameterSpec { declared.access == .readWrite ? declared.kept(.session) : declared }

    private var declared: ParameterSpec {
        switch self {
        case .source:
            .text(
                "Source",
                "PROFILE or PROFILE:PLACE, the place being a UDP port, osc for the OSC port, or a serial or MIDI device; empty "
                    + "for none.",
                role: .trackerSource)
        case .listener: .integer("Listener", 1...1088, "Number of the one whose head it controls.", role: .trackerListener)
        case .axes, .invertYaw, .invertPitch, .invertRoll: axisSpec
        case .centre:
            .degrees("Centre", -180...180, "Yaw of the tracker that counts as straight ahead.").circular
        case .mount:
            .vector(
                "Mount", ["w", "x", "y", "z"], -1...1, initial: [1, 0, 0, 0], unit: .none,
                "Rotation w x y z from the head's axes to the tracker's, for a tracker worn at an angle; calibration measures it.",
                role: .mount
            ).rotation
        case .recenter: .impulse("Recenter tracker", "Makes the present direction straight ahead.", role: .trackerRecenter)
        case .calibrate:
            .impulse(
                "Calibrate", "Asks for three gestures, ahead, left and up, and derives axes, signs and mount from them.",
                role: .calibrate)
        case .cancel: .impulse("Cancel calibration", "Ends the calibration without a change.", role: .calibrationCancel)
        case .timeout, .returnTime, .drift: silenceSpec
        case .orientation:
            .vector(
                "Orientation", ["w", "x", "y", "z"], -1...1, initial: [1, 0, 0, 0], unit: .none,
                "Quaternion w x y z of the tracker itself, from a page or program; for the source web.", access: .write,
                role: .trackerOrientation
            ).rotation
        default: readingSpec
        }
    }

    private var axisSpec: ParameterSpec {
        let orders = ["yaw pitch roll", "yaw roll pitch", "pitch yaw roll", "pitch roll yaw", "roll yaw pitch", "roll pitch yaw"]
        return switch self {
        case .axes:
            .choice("Axes", orders, "Angles of the tracker that become the head's yaw, pitch and roll, in this order.")
        case .invertYaw: .toggle("Invert yaw", "Reverses the direction of yaw.")
        case .invertPitch: .toggle("Invert pitch", "Reverses the direction of pitch.")
        default: .toggle("Invert roll", "Reverses the direction of roll.")
        }
    }

    private var silenceSpec: ParameterSpec {
        switch self {
        case .timeout:
            .init(
                title: "Hold",
                summary: "Time for which the head stays in place when a streaming tracker falls silent; 0 is without end.",
                unit: .second, range: 0...600, initial: .number(10))
        case .returnTime:
            .init(
                title: "Return time", summary: "Seconds until the head then is straight ahead again.", unit: .second,
                range: 0.1...30, initial: .number(2))
        default:
            .init(
                title: "Drift correction",
                summary: "Speed at which a resting yaw is moved towards straight ahead; 0 is off.",
                unit: .degreesPerMinute, range: 0...60, initial: .number(0))
        }
    }

    private var readingSpec: ParameterSpec {
        switch self {
        case .state:
            .choice(
                "State", TrackerState.allCases.map(\.name),
                "none without a source, waiting for the first pose, live, held in place after silence, or home: returned to "
                    + "straight ahead.",
                access: .read, role: .trackerState)
        case .inCharge:
            .toggle(
                "In control", "Whether the head follows this tracker: of several, it follows the most recently moved.", access: .read,
                role: .inCharge)
        case .rate: .gauge("Pose rate", 0...10_000, unit: .hertz, "Poses received per second.", role: .trackerRate)
        case .age: .gauge("Pose age", 0...3_600_000, unit: .millisecond, "Time since the newest pose.", role: .trackerAge)
        case .pose:
            .vector(
                "Tracker pose", ["yaw", "pitch", "roll"], -180...180, initial: [0, 0, 0], unit: .degree,
                "Direction of the head according to this tracker alone.", access: .read, role: .trackerPose)
        case .correction:
            .gauge(
                "Correction", -36_000...36_000, unit: .degree, "Angle by which the centre has followed the drift.",
                initial: 0)
        case .guide:
            .text("Guide", "Next step of a calibration, or its result.", access: .read, role: .guide)
        default: .text("Problem", "Fault or doubt about the received poses.", access: .read, role: .trackerProblem)
        }
    }
}
