/// One head tracker: what it is, how it is worn, what it does.
public enum TrackerParameter: Int, ParameterGroup {
    case source, listener, axes, invertYaw, invertPitch, invertRoll, centre, mount, recenter, calibrate, cancel, timeout
    case glide, drift, orientation
    case state, inCharge, rate, age, pose, correction, guide, problem

    public static let container = "/tracker/{n}"
    public static let summary = "A head tracker: where its poses come from, how it is worn, and how it is doing."
    public static var topic: Topic? { .trackers }
    /// Names of the values of ``state``.
    public static let states = ["none", "waiting", "live", "held", "home"]

    public var spec: ParameterSpec {
        switch self {
        case .source:
            .text(
                "Source", "PROFILE or PROFILE:PLACE: a UDP port, osc for the OSC port, or a device. Empty for none.",
                role: .trackerSource)
        case .listener: .integer("Listener", 1...64, "Whose head it turns.", role: .trackerListener)
        case .axes, .invertYaw, .invertPitch, .invertRoll: axisSpec
        case .centre:
            .degrees("Centre", -180...180, "The tracker's yaw that counts as straight ahead.")
        case .mount:
            .vector(
                "Mount", ["w", "x", "y", "z"], -1...1, initial: [1, 0, 0, 0], unit: .none,
                "From the head's axes to the tracker's, w x y z, for one that is worn askew; calibration finds it.",
                role: .mount)
        case .recenter: .impulse("Recenter tracker", "Makes where it points now straight ahead.", role: .trackerRecenter)
        case .calibrate:
            .impulse(
                "Calibrate", "Asks for three gestures, ahead, left and up, and finds axes, signs and mount from them.",
                role: .calibrate)
        case .cancel: .impulse("Cancel", "Ends a calibration that has begun; nothing is changed.", role: .calibrationCancel)
        case .timeout, .glide, .drift: silenceSpec
        case .orientation:
            .vector(
                "Orientation", ["w", "x", "y", "z"], -1...1, initial: [1, 0, 0, 0], unit: .none,
                "The tracker's own orientation, w x y z, from a page or program; for a source called web.", access: .write,
                role: .trackerOrientation)
        default: readingSpec
        }
    }

    private var axisSpec: ParameterSpec {
        let orders = ["yaw pitch roll", "yaw roll pitch", "pitch yaw roll", "pitch roll yaw", "roll yaw pitch", "roll pitch yaw"]
        return switch self {
        case .axes: .choice("Axes", orders, "The tracker's turns that become the head's yaw, pitch and roll, in this order.")
        case .invertYaw: .toggle("Invert yaw", "The head turns the other way.")
        case .invertPitch: .toggle("Invert pitch", "The head nods the other way.")
        default: .toggle("Invert roll", "The head tilts the other way.")
        }
    }

    private var silenceSpec: ParameterSpec {
        var spec =
            switch self {
            case .timeout:
                ParameterSpec.seconds(
                    "Hold", 0...600,
                    "How long the head stays where it is when a tracker that streams falls silent; 0 is for ever.")
            case .glide: ParameterSpec.seconds("Glide", 0.1...30, "How long it then takes home.")
            default:
                ParameterSpec(
                    title: "Drift correction",
                    summary: "Degrees a minute by which the resting yaw is pulled to straight ahead; 0 leaves it alone.",
                    range: 0...60, initial: .number(0))
            }
        if self == .timeout { spec.initial = .number(10) }
        if self == .glide { spec.initial = .number(2) }
        return spec
    }

    private var readingSpec: ParameterSpec {
        switch self {
        case .state:
            .choice("State", Self.states, "Whether poses come, or the head is held or home.", access: .read, role: .trackerState)
        case .inCharge:
            .toggle("In charge", "Whether it turns the head: of several, the last that moved does.", access: .read, role: .inCharge)
        case .rate: .gauge("Pose rate", 0...10_000, unit: .hertz, "Poses a second.", role: .trackerRate)
        case .age: .gauge("Pose age", 0...3_600_000, unit: .millisecond, "Since the newest pose.", role: .trackerAge)
        case .pose:
            .vector(
                "Tracker pose", ["yaw", "pitch", "roll"], -180...180, initial: [0, 0, 0], unit: .degree,
                "The head by this tracker alone.", access: .read, role: .trackerPose)
        case .correction:
            .gauge("Correction", -36_000...36_000, unit: .degree, "What drift correction has added to the centre.", initial: 0)
        case .guide:
            .text("Guide", "What to do next in a calibration, or what came of it.", access: .read, role: .guide)
        default: .text("Problem", "What is wrong or doubtful about what it sends.", access: .read, role: .trackerProblem)
        }
    }
}
