/// How the engine is doing.
public enum EngineParameter: Int, ParameterGroup {
    case load, worst, xruns, dropouts, period, rate, device, unknown, malformed, notice

    public static let container = "/engine"
    public static let summary = "The audio engine: load, lost blocks, rate, and what it has to say."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .load:
            .gauge("Load", 0...1, "Mean share of a period that rendering takes.", role: .load)
        case .worst:
            .gauge("Worst block", 0...100, "Largest share of a period since the last report.", role: .load)
        case .xruns: .counter("Xruns", "Blocks that reached the device too late.")
        case .dropouts: .counter("Dropouts", "Times the recording's reader fell behind and sound was faded out.")
        case .period:
            .gauge("Period", 1...8192, unit: .sample, "Frames per block.", role: .period)
        case .rate: .gauge("Rate", 8000...192_000, unit: .hertz, "Frames per second.", role: .rate)
        case .device: .text("Device", "What calls the renderer.", access: .read)
        case .unknown: .counter("Unknown", "Messages to addresses that do not exist.")
        case .malformed: .counter("Malformed", "Packets that were not OSC or not JSON.")
        case .notice: .text("Notice", "The latest warning or error, in words.", access: .read, role: .notice)
        }
    }
}
