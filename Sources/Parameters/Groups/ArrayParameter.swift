/// The microphone array in use: that of the loaded recording, with the corrections of ``ArraySetting``.
public enum ArrayParameter: Int, ParameterGroup {
    case count, radius, azimuth, crossover, ringCrossover

    public static let container = "/array"
    public static let summary = "The microphone array of the recording."
    public static var topic: Topic? { .array }

    public var spec: ParameterSpec {
        switch self {
        case .count: .counter("Microphones", "Number of microphones in the array.", role: nil)
        case .radius:
            .gauge("Radius", 0...1, unit: .metre, "Distance of the microphones from the centre of the sphere.", role: .radius)
        case .azimuth:
            .list(
                "Azimuths", -180...180, unit: .degree, "Azimuth of each microphone, positive to the left.",
                role: .microphoneAzimuth)
        case .crossover:
            .gauge("Crossover", 0...96_000, unit: .hertz, "Frequency between the two bands of the two-band methods.")
        case .ringCrossover:
            .gauge("Ring crossover", 0...96_000, unit: .hertz, "Frequency between the two bands of the ring methods.")
        }
    }
}
