/// One head tracker: its source, how it is worn, and its state.
public enum TrackerParameter: Int, ParameterGroup {
    case source, listener, axes, invertYaw, invertPitch, invertRoll, centre, mount, recenter, calibrate, cancel, timeout
    case returnTime, drift, orientation
    case state, inCharge, rate, age, pose, correction, guide, problem
    case position, positionScale, positionCentre

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
        case .listener:
            .integer(
                "Listener", 1...Float(ListenerLimits.all), "Number of the listener whose head this tracker controls.",
                role: .trackerListener)
        case .axes, .invertYaw, .invertPitch, .invertRoll: axisSpec
        case .centre:
            .degrees("Centre", -180...180, "Yaw of the tracker that counts as straight ahead.").circular
        case .mount:
            .vector(
                "Mount", ["w", "x", "y", "z"], -1...1, initial: [1, 0, 0, 0], unit: .none,
                "Rotation w x y z from the head's axes to the tracker's, for a tracker worn at an angle; calibration measures it.",
                role: .mount
            ).rotation
        case .recenter: .impulse("Recenter tracker", "Makes the current direction straight ahead.", role: .trackerRecenter)
        case .calibrate:
            .impulse(
                "Calibrate", "Starts a calibration by three gestures, ahead, left and up, which determines axes, signs and mount.",
                role: .calibrate)
        case .cancel: .impulse("Cancel calibration", "Ends the calibration without a change.", role: .calibrationCancel)
        case .timeout, .returnTime, .drift: silenceSpec
        case .position, .positionScale, .positionCentre: positionSpec
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

    private var positionSpec: ParameterSpec {
        switch self {
        case .position:
            .toggle("Use position", "Moves the listener with the head, for trackers that measure its position.")
        case .positionScale:
            .init(
                title: "Position scale", summary: "Metres by which the listener moves for each metre of the head.",
                kind: .number(logarithmic: true), range: 0.01...100, initial: .number(1))
        default:
            .vector(
                "Position centre", ["front", "left", "up"], -100...100, initial: [0, 0, 0], unit: .metre,
                "Coordinates of the head at which the listener is at its own place; recentring sets them.")
        }
    }

    private var silenceSpec: ParameterSpec {
        switch self {
        case .timeout:
            .init(
                title: "Hold",
                summary: "Time for which the head stays in place when a streaming tracker falls silent; 0 for no limit.",
                unit: .second, range: 0...600, initial: .number(10))
        case .returnTime:
            .init(
                title: "Return time", summary: "Time in which the head then returns to straight ahead.", unit: .second,
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
                "In control", "Whether this tracker controls the head; of several, the most recently moved one does.", access: .read,
                role: .inCharge)
        case .rate: .gauge("Pose rate", 0...10_000, unit: .hertz, "Poses received per second.", role: .trackerRate)
        case .age: .gauge("Pose age", 0...3_600_000, unit: .millisecond, "Time since the newest pose.", role: .trackerAge)
        case .pose:
            .vector(
                "Tracker pose", ["yaw", "pitch", "roll"], -180...180, initial: [0, 0, 0], unit: .degree,
                "Direction of the head according to this tracker alone.", access: .read, role: .trackerPose)
        case .correction:
            .gauge(
                "Correction", -36_000...36_000, unit: .degree, "Angle by which the centre has been corrected for drift.",
                initial: 0)
        case .guide:
            .text("Guide", "Next step of a calibration, or its result.", access: .read, role: .guide)
        default: .text("Problem", "Error or warning about the received poses.", access: .read, role: .trackerProblem)
        }
    }
}

/// State of a tracker. The raw value is that of ``TrackerParameter/state`` and of binary telemetry.
public enum TrackerState: Int, CaseIterable, Sendable {
    /// No tracker is attached.
    case none
    /// No pose has been received yet.
    case waiting
    case live
    /// Silent; the head keeps its last pose.
    case held
    /// Silent; the head has returned to the front.
    case home

    private static let names = allCases.map { "\($0)" }

    /// Name in choices and in telemetry.
    public var name: String { Self.names[rawValue] }
}
