internal import CRealtime

/// An analogue section: the intended response of an equaliser band.
///
/// `n0 s^2 + n1 s + n2` over `s^2 + d1 s + d2`, s in radians per second. Source: Bristow-Johnson, "Cookbook formulae
/// for audio equalizer biquad filter coefficients".
public struct Prototype: BitwiseCopyable, Sendable {
    private var n0: Double
    private var n1: Double
    private var n2: Double
    private var d1: Double
    private var d2: Double

    @_noLocks @_noAllocation
    public init(_ band: Equaliser.Band) {
        let shape = band.kind
        let w = 2 * Double.pi * max(5, Double(band.frequency))
        let q = max(0.05, band.isShelf ? min(1, Double(band.q)) : Double(band.q))
        let a = rt_exp_double(Double(band.gain) * 0.05756462732485115)
        let root = rt_sqrt_double(a)
        (n0, n1, n2) = (1, w / q, w * w)
        (d1, d2) = (w / q, w * w)
        switch shape {
        case .off: break
        case .peak: (n1, d1) = (w * a / q, w / (a * q))
        case .lowShelf:
            (n1, n2) = (root * w / q, a * w * w)
            (d1, d2) = (w / (root * q), w * w / a)
        case .highShelf:
            (n0, n1, n2) = (a * a, a * root * w / q, a * w * w)
            (d1, d2) = (root * w / q, a * w * w)
        case .lowPass: (n0, n1) = (0, 0)
        case .highPass: (n1, n2) = (0, 0)
        }
    }

    /// Squared magnitude at `frequency` in Hz.
    @_noLocks @_noAllocation
    public func power(_ frequency: Double) -> Double {
        let w = 2 * Double.pi * frequency
        let (s2, above, below) = (-w * w, n1 * w, d1 * w)
        let top = (n0 * s2 + n2) * (n0 * s2 + n2) + above * above
        let bottom = (s2 + d2) * (s2 + d2) + below * below
        return top / bottom
    }
}
