/// Methods that compute an ear's signal from the microphones around it. Each is declared in its own file, which conforms to ``MethodRule``;
/// a new one needs that file, a case here, and a line in each of the two switches, which realtime code needs in place of dynamic dispatch.
public enum InterpolationMethod: Int, CaseIterable, BitwiseCopyable, Sendable {
    case nearest, linear, twoBandFixed, twoBand, twoBandSpectral, ring, ringSpectral, hrtf

    /// Initial method of a listener: the one with the smallest error, in motion and at rest.
    public static let standard = InterpolationMethod.ringSpectral

    var declaration: MethodDeclaration {
        @_noLocks @_noAllocation get {
            switch self {
            case .nearest: NearestMethod.declaration
            case .linear: LinearMethod.declaration
            case .twoBandFixed: TwoBandFixedMethod.declaration
            case .twoBand: TwoBandMethod.declaration
            case .twoBandSpectral: TwoBandSpectralMethod.declaration
            case .ring: RingMethod.declaration
            case .ringSpectral: RingSpectralMethod.declaration
            case .hrtf: HRTFMethod.declaration
            }
        }
    }

    /// Adds the weights of the rows that make up an ear with this method.
    @_noLocks @_noAllocation
    public func add(_ ear: EarPlace, in ring: borrowing RingLookup, to taps: inout Taps) {
        switch self {
        case .nearest: NearestMethod.add(ear, in: ring, to: &taps)
        case .linear: LinearMethod.add(ear, in: ring, to: &taps)
        case .twoBandFixed: TwoBandFixedMethod.add(ear, in: ring, to: &taps)
        case .twoBand: TwoBandMethod.add(ear, in: ring, to: &taps)
        case .twoBandSpectral: TwoBandSpectralMethod.add(ear, in: ring, to: &taps)
        case .ring: RingMethod.add(ear, in: ring, to: &taps)
        case .ringSpectral: RingSpectralMethod.add(ear, in: ring, to: &taps)
        case .hrtf: HRTFMethod.add(ear, in: ring, to: &taps)
        }
    }
}
