/// Live input: channels of a sound device, or a sound file in its place.
public enum InputParameter: Int, ParameterGroup {
    case gain, mute, channels, peak, latency, source

    public static let container = "/input"
    public static let summary = "Live input, heard by every listener through the input rack."
    public static var topic: Topic? { .effects }
    public static let choices = ["stereo", "left", "right", "sum"]

    public var spec: ParameterSpec {
        switch self {
        case .gain: .decibels("Input gain", -60...24, "Level before the input rack.").smoothed(.level)
        case .mute:
            .toggle("Input mute", "Silences the input before its rack; the tails of the effects ring out.").smoothed(.level)
        case .channels:
            .choice(
                "Input channels", Self.choices, "Both channels unchanged, one of them on both sides, or their mean on both."
            ).smoothed(.level)
        case .peak:
            .vector(
                "Input peaks", ["left", "right"], 0...16, initial: [0, 0], unit: .linearGain,
                "Largest sample since the last report, before the gain.", access: .read, role: .inputPeak)
        case .latency:
            .gauge(
                "Input to output", 0...1000, unit: .millisecond,
                "Measured time from the converter that records to the one that plays, racks and protection included; 0 "
                    + "without a sound device.")
        case .source: .text("Input", "Source of the live sound.", access: .read, role: .inputSource)
        }
    }
}
