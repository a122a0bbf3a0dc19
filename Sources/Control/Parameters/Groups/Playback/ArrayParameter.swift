/// The microphone array in use: that of the loaded recording or a live one, with the corrections of ``ArraySetting``.
public enum ArrayParameter: Int, ParameterGroup {
    case count, radius, azimuth, crossover, ringCrossover, source, input, latency, problem

    public static let container = "/array"
    public static let summary = "The microphone array of the recording, or a live one."
    public static var topic: Topic? { .array }

    public var spec: ParameterSpec {
        switch self {
        case .count: .counter("Microphones", "Number of microphones in the array.", role: nil)
        case .radius:
            .gauge("Radius", 0...1, unit: .metre, "Distance of the microphones from the centre of the sphere.", role: .radius)
        case .azimuth:
            .list(
                "Azimuths", -180...180, unit: .degree, "Direction of each microphone, positive to the left.",
                role: .microphoneAzimuth)
        case .crossover:
            .gauge("Crossover", 0...96_000, unit: .hertz, "Frequency between the two bands of the two-band methods.")
        case .ringCrossover:
            .gauge("Ring crossover", 0...96_000, unit: .hertz, "Frequency between the two bands of the ring methods.")
        case .source:
            .choice(
                "Array source", ["recording", "live"], "Whether the recording plays, or the live microphone array (hear-through).",
                role: .arraySource
            ).smoothed(.fade).kept(.nothing)
        case .input:
            .text("Live array", "Sound card, JACK client or file that it comes from; empty for none.", access: .read, role: .arrayInput)
        case .latency:
            .gauge(
                "Array to output", 0...1000, unit: .millisecond,
                "Measured time from the converter that records the live array to the one that plays the first listener, including method, "
                    + "racks and protection; 0 while it is not heard.", role: .arrayLatency)
        case .problem: .text("Array problem", "Reason why the live array is silent; empty for none.", access: .read, role: .arrayProblem)
        }
    }
}
