/// Colour of a measured head that its filters keep. The level on noise with the spectrum of speech is that of the other
/// methods within 1.1 dB.
public enum HRTFEqualisation: Int, CaseIterable, Sendable {
    /// Mean spectrum over the horizon as on a rigid sphere, as with the other methods: without the ear canal's resonance.
    case neutral
    /// Flat mean spectrum over all measured directions.
    case diffuseField
    /// As measured.
    case none

    /// Name used by clients and the command line.
    public var name: String {
        switch self {
        case .neutral: "neutral"
        case .diffuseField: "diffuse-field"
        case .none: "none"
        }
    }

    public init?(name: String) {
        guard let equalisation = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = equalisation
    }
}
