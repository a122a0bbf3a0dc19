/// The limiter that stands last before every ear.
public enum ProtectionParameter: Int, ParameterGroup {
    case ceiling, reduction, latency

    public static let container = "/protection"
    public static let summary = "Hearing protection: the limiter after everything, which cannot be switched off."
    public static var topic: Topic? { .effects }

    /// Decibels; what the limiter takes.
    public static var ceilings: ClosedRange<Float> { -24...0 }

    public var spec: ParameterSpec {
        switch self {
        case .ceiling:
            .init(
                title: "Ceiling", summary: "No peak, between samples either, exceeds it.", unit: .decibel,
                range: Self.ceilings, initial: .number(-1))
        case .reduction:
            .gauge("Limiting", 0...90, unit: .decibel, "Largest gain reduction since the last report.")
        case .latency:
            .gauge(
                "Limiter latency", 0...4096, unit: .sample,
                "What it adds to the time sound takes while it is at work; for a listener whom no sound card plays to, that is "
                    + "while somebody listens over the network.")
        }
    }
}
