/// Hearing protection: the limiter before every ear.
public enum ProtectionParameter: Int, ParameterGroup {
    case ceiling, reduction, latency

    public static let container = "/protection"
    public static let summary = "Hearing protection: a limiter after everything else, which cannot be switched off."
    public static var topic: Topic? { .effects }

    /// Range of the ceiling in dB, within that of the limiter.
    public static var ceilings: ClosedRange<Float> { -24...0 }

    public var spec: ParameterSpec {
        switch self {
        case .ceiling:
            .init(
                title: "True-peak limit", summary: "Largest true peak of the output.", unit: .decibel,
                range: Self.ceilings, initial: .number(-1)
            ).smoothed(.effect)
        case .reduction:
            .gauge("Limiting", 0...90, unit: .decibel, "Largest gain reduction of all listeners since the last report.")
        case .latency:
            .gauge(
                "Limiter latency", 0...4096, unit: .sample,
                "Delay by the limiter; 0 without a limiter, when writing to a file.")
        }
    }
}
