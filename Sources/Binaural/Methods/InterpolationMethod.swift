/// The ways to make an ear's signal from the microphones around it. One file for each, or each pair.
public enum InterpolationMethod: Int, CaseIterable, BitwiseCopyable, Sendable {
    case nearest, linear, twoBandFixed, twoBand, twoBandSpectral, ring, ringSpectral, personal

    /// What a listener begins with: the least error of all, moving or still.
    public static let standard = InterpolationMethod.ringSpectral

    /// As clients and the command line spell it.
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

    /// Between its two bands; nil when it has one.
    public var crossover: Crossover? {
        @_noLocks @_noAllocation get {
            switch self {
            case .nearest, .linear, .personal: nil
            case .twoBandFixed, .twoBand, .twoBandSpectral: .neighbours
            case .ring, .ringSpectral: .ring
            }
        }
    }

    /// What the method adds to the time sound takes, samples.
    @_noLocks @_noAllocation
    public func latency(rate: Float) -> Int {
        switch self {
        case .nearest, .linear, .twoBandFixed, .twoBand, .ring: 0
        case .twoBandSpectral, .ringSpectral: SpectralFrame(rate: rate).latency
        case .personal: HRTFFrame(rate: rate).latency
        }
    }

    /// What is heard in place of this method while it has no filters yet.
    public var standIn: InterpolationMethod {
        @_noLocks @_noAllocation get { self == .personal ? .ringSpectral : self }
    }
}
