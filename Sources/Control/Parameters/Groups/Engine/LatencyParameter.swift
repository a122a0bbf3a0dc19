/// Time from the arrival of a pose to the sound rendered with it, over all listeners.
public enum LatencyParameter: Int, ParameterGroup {
    case motionToSound, waiting, poses, source

    public static let container = "/latency"
    public static let summary = "Motion-to-sound latency, measured for every pose over the last 5 s; all 0 without poses in that time."
    public static var topic: Topic? { .head }

    public static let sources = ["exact", "reported", "calibrated"]

    private static let percentiles = ["p50", "p95", "p99", "max"]

    public var spec: ParameterSpec {
        switch self {
        case .motionToSound:
            .vector(
                "Motion to sound", Self.percentiles, 0...10_000, initial: [0, 0, 0, 0], unit: .millisecond,
                "Time from the kernel's receipt of a pose to the output of the first sample rendered with it.",
                access: .read, role: .latency)
        case .waiting:
            .vector(
                "Waiting", Self.percentiles, 0...10_000, initial: [0, 0, 0, 0], unit: .millisecond,
                "Part of that time before the start of the block that used the pose.", access: .read)
        case .poses:
            .gauge("Poses", 0...100_000, unit: .hertz, "Number of poses used per second.")
        case .source:
            .choice(
                "Output times", Self.sources,
                "exact: the engine's own schedule, without a sound card; reported: by the device's driver or server; calibrated: measured "
                    + "externally by `vestibule measure --apply`.", access: .read, role: .latencySource)
        }
    }
}
