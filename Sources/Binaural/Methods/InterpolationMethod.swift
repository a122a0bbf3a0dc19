/// Methods that compute an ear's signal from the microphones around it. One file for each, or each pair.
public enum InterpolationMethod: Int, CaseIterable, BitwiseCopyable, Sendable {
    case nearest, linear, twoBandFixed, twoBand, twoBandSpectral, ring, ringSpectral, personal

    /// Initial method of a listener: the one with the smallest error, in motion and at rest.
    public static let standard = InterpolationMethod.ringSpectral

    /// Name used by clients and the command line.
    public var name: String {
        switch self {
        case .nearest: "nearest"
        case .linear: "linear"
        case .twoBandFixed: "two-band-fixed"
        case .twoBand: "two-band"
        case .twoBandSpectral: "two-band-spectral"
        case .ring: "ring"
        case .ringSpectral: "ring-spectral"
        case .personal: "personal"
        }
    }

    public init?(name: String) {
        guard let method = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = method
    }

    /// Crossover between the method's two bands; nil when it has one band.
    public var crossover: Crossover? {
        @_noLocks @_noAllocation get {
            switch self {
            case .nearest, .linear, .personal: nil
            case .twoBandFixed, .twoBand, .twoBandSpectral: .neighbours
            case .ring, .ringSpectral: .ring
            }
        }
    }

    /// Latency of the method in samples.
    @_noLocks @_noAllocation
    public func latency(rate: Float) -> Int {
        switch self {
        case .nearest, .linear, .twoBandFixed, .twoBand, .ring: 0
        case .twoBandSpectral, .ringSpectral: SpectralFrame(rate: rate).latency
        case .personal: HRTFFrame(rate: rate).latency
        }
    }

    /// Method that is heard instead of this one while it has no filters yet.
    public var standIn: InterpolationMethod {
        @_noLocks @_noAllocation get { self == .personal ? .ringSpectral : self }
    }
}
