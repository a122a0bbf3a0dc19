/// State of the audio engine.
public enum EngineParameter: Int, ParameterGroup {
    case load, worst, xruns, dropouts, resets, silent, limited, period, rate, unknown, malformed, notice, noticeTime
    case controlWorst, controlWorstEver

    public static let container = "/engine"
    public static let summary = "The audio engine: load, lost blocks, rate, errors and notices."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .load:
            .gauge("Load", 0...1, "Mean rendering time as a share of a period.", role: .load)
        case .worst:
            .gauge("Worst block", 0...100, "Largest share of a period since the last report.", role: .load)
        case .xruns: .counter("Xruns", "Blocks that reached the sound device too late.")
        case .dropouts: .counter("Dropouts", "Number of times that the recording was read too slowly and faded out.")
        case .resets:
            .counter("Resets", "Number of times that sound exceeded 120 dB above full scale and the state of the effect was cleared.")
        case .silent: .counter("Silent", "Listeners without sound for a second although something plays and their gain is up.")
        case .limited:
            .counter(
                "Limited input", "Number of samples beyond 64 (+36 dBFS), infinite or NaN, which were limited or silenced.")
        case .period:
            .gauge("Period", 1...8192, unit: .sample, "Frames per block.", role: .period)
        case .rate: .gauge("Rate", 8000...192_000, unit: .hertz, "Frames per second.", role: .rate)
        case .unknown: .counter("Unknown addresses", "Messages to addresses that do not exist.")
        case .malformed: .counter("Bad messages", "Packets that are neither valid OSC nor valid JSON.")
        case .notice: .text("Notice", "Latest warning or error, as a sentence.", access: .read, role: .notice)
        case .noticeTime:
            .text("Notice time", "Time of the latest warning or error, ISO 8601, UTC.", access: .read, role: .noticeTime)
        case .controlWorst:
            .gauge(
                "Longest control turn", 0...60_000, unit: .millisecond,
                "Longest turn of the control thread in the last 10 s, without time used by other programs.")
        case .controlWorstEver:
            .gauge("Longest turn ever", 0...60_000, unit: .millisecond, "Longest turn of the control thread since the start.")
        }
    }
}
