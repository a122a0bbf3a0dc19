/// From the moment a pose arrives to the moment sound rendered with it leaves.
public enum LatencyParameter: Int, ParameterGroup {
    case motionToSound, waiting, poses

    public static let container = "/latency"
    public static let summary = "Measured, pose by pose, over the last seconds."
    public static var topic: Topic? { .head }

    private static let percentiles = ["p50", "p95", "p99", "max"]

    public var spec: ParameterSpec {
        switch self {
        case .motionToSound:
            .vector(
                "Motion to sound", Self.percentiles, 0...10_000, initial: [0, 0, 0, 0], unit: .millisecond,
                "Pose received by the kernel to output time of the first sample rendered with it.",
                access: .read, role: .latency)
        case .waiting:
            .vector(
                "Waiting", Self.percentiles, 0...10_000, initial: [0, 0, 0, 0], unit: .millisecond,
                "The part of it before the block that used the pose began.", access: .read)
        case .poses:
            .gauge("Poses", 0...100_000, unit: .hertz, "Poses used per second.")
        }
    }
}
