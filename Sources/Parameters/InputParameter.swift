/// The live input: a sound card's, or a file in its place.
public enum InputParameter: Int, ParameterGroup {
    case gain, mute, channels, peak, latency, source

    public static let container = "/input"
    public static let summary = "The live input, which every listener hears through its rack."
    public static var topic: Topic? { .effects }
    public static let choices = ["stereo", "left", "right", "sum"]

    public var spec: ParameterSpec {
        switch self {
        case .gain: .decibels("Input gain", -60...24, "Before its rack.")
        case .mute: .toggle("Mute input", "Silences it before its rack, whose tails ring out.")
        case .channels:
            .choice("Input channels", Self.choices, "Both as they are, one of them on both sides, or their mean.")
        case .peak:
            .vector(
                "Input peaks", ["left", "right"], 0...16, initial: [0, 0], unit: .linearGain,
                "Largest since the last report, before gain.", access: .read, role: .inputPeak)
        case .latency:
            .gauge(
                "Input to output", 0...1000, unit: .millisecond,
                "Measured: from the recording converter to the playing one, racks and protection included; 0 without a card.")
        case .source: .text("Input", "Where it comes from.", access: .read)
        }
    }
}
