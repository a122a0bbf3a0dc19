/// Latency of one listener's poses, stage by stage.
public enum ListenerLatency: Int, ParameterGroup {
    case motionToSound, transmission, interval, waiting, rendering, output, histogram, rate, jitter, lost, unused

    public static let container = "/latency/listener/{n}"
    public static let summary = "Latency of the listener's poses, stage by stage, over the last 5 s; all 0 without poses in that time."
    public static var topic: Topic? { .trackers }

    private static let percentiles = ["p50", "p95", "p99", "max"]

    /// Upper bounds in milliseconds of the bins of ``histogram``, a quarter of an octave each; a further bin counts the rest.
    public static let bounds: [Float] = (0..<41).map { 0.25 * powerOfTwo(Float($0) / 4) }

    private static func powerOfTwo(_ exponent: Float) -> Float {
        let quarters: [Float] = [1, 1.1892071, 1.4142135, 1.6817929]
        let whole = Int(clamping: exponent)
        return Float(1 << whole) * quarters[Int(clamping: (exponent - Float(whole)) * 4)]
    }

    private static func stage(_ title: String, _ summary: String, _ role: ParameterSpec.Role) -> ParameterSpec {
        .vector(
            title, percentiles, 0...10_000, initial: [0, 0, 0, 0], unit: .millisecond, summary, access: .read, role: role)
    }

    public var spec: ParameterSpec {
        switch self {
        case .motionToSound:
            Self.stage(
                "Motion to sound",
                "Time to the output, from the sender's clock if that is known, otherwise from the kernel's receipt.",
                .latencyTotal)
        case .transmission:
            Self.stage(
                "Transmission", "Time from the sender's clock to the kernel's receipt; zeros if that clock is unknown.",
                .latencyTransmission)
        case .interval:
            Self.stage(
                "Sampling interval", "Time from one pose to the next, which is the greatest age of a pose.",
                .latencyInterval)
        case .waiting:
            Self.stage("Waiting", "Time from the kernel's receipt to the start of the block that used the pose.", .latencyWaiting)
        case .rendering:
            Self.stage("Rendering", "Time from the start of that block to its end.", .latencyRendering)
        case .output:
            Self.stage(
                "Output",
                "Time from the end of rendering until the block's first frame left the converter, as reported by the sound "
                    + "device.",
                .latencyOutput)
        case .histogram:
            .list(
                "Histogram", 0...(.greatestFiniteMagnitude), unit: .none,
                "Number of poses by motion-to-sound latency: up to 0.25 ms, then in steps of a quarter of an octave; the "
                    + "last number counts all beyond 256 ms.",
                role: .latencyHistogram)
        case .rate: .gauge("Poses", 0...100_000, unit: .hertz, "Number of poses received per second.", role: .latencyCount)
        case .jitter:
            .gauge(
                "Jitter", 0...10_000, unit: .millisecond, "Variation of the poses' arrival times (RFC 3550).",
                role: .latencyCount)
        case .lost:
            .counter(
                "Lost", "Poses missing from a regular stream since the start, counted in whole intervals.",
                role: .latencyCount)
        case .unused:
            .counter(
                "Superseded poses", "Poses replaced by a newer one before a block used them, since the start.", role: .latencyCount)
        }
    }
}
