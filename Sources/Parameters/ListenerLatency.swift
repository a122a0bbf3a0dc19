/// The way of one listener's poses to sound, stage by stage.
public enum ListenerLatency: Int, ParameterGroup {
    case motionToSound, transmission, interval, waiting, rendering, output, histogram, rate, jitter, lost, unused

    public static let container = "/latency/listener/{n}"
    public static let summary = "The way of one listener's poses to sound, stage by stage, over the last seconds."
    public static var topic: Topic? { .trackers }

    private static let percentiles = ["p50", "p95", "p99", "max"]

    /// Upper bounds in milliseconds of ``histogram``'s numbers: a quarter of an octave each; the last number is of all beyond.
    public static let bounds: [Float] = (0..<41).map { 0.25 * powerOfTwo(Float($0) / 4) }

    private static func powerOfTwo(_ exponent: Float) -> Float {
        let quarters: [Float] = [1, 1.1892071, 1.4142135, 1.6817929]
        let whole = Int(exponent)
        return Float(1 << whole) * quarters[Int((exponent - Float(whole)) * 4)]
    }

    private static func stage(_ title: String, _ summary: String, _ role: ParameterSpec.Role) -> ParameterSpec {
        .vector(
            title, percentiles, 0...10_000, initial: [0, 0, 0, 0], unit: .millisecond, summary, access: .read, role: role)
    }

    public var spec: ParameterSpec {
        switch self {
        case .motionToSound:
            Self.stage(
                "Motion to sound", "From the sender's clock when it is known, else from the kernel's receipt, to the output.",
                .wayTotal)
        case .transmission:
            Self.stage(
                "Transmission", "From the sender's clock to the kernel's receipt; zeros when that clock is unknown.", .wayTransmission)
        case .interval:
            Self.stage("Sampling interval", "From one pose to the next: how old a pose gets before it is replaced.", .wayBeside)
        case .waiting: Self.stage("Waiting", "From the kernel's receipt to the block that used the pose.", .wayWaiting)
        case .rendering: Self.stage("Rendering", "From there until the block was rendered.", .wayRendering)
        case .output: Self.stage("Output", "From there until its first frame left the converter, as the device says.", .wayOutput)
        case .histogram:
            .list(
                "Histogram", 0...Float(Int32.max), unit: .none,
                "Poses by motion to sound: up to 0.25 ms, then a quarter of an octave each, the last of all beyond 256 ms.",
                role: .wayHistogram)
        case .rate: .gauge("Poses", 0...100_000, unit: .hertz, "Received per second.", role: .wayCount)
        case .jitter:
            .gauge("Jitter", 0...10_000, unit: .millisecond, "By which they come too early or late (RFC 3550).", role: .wayCount)
        case .lost: .counter("Lost", "Poses that left a gap in an even stream, since the start.", role: .wayCount)
        case .unused: .counter("Unused", "Poses that a newer one overtook before a block began, since the start.", role: .wayCount)
        }
    }
}
