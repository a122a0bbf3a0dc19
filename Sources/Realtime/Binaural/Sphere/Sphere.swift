public import DSP

/// A rigid sphere in a plane wave: the pressure on its surface relative to that of the free field at its centre.
///
/// Time runs as e^(+iwt), so a later arrival has a falling phase. Source: Duda and Martens, JASA 104(5),
/// 1998, in the form p(theta) = -i/x^2 sum over n of i^n (2n+1) P_n(cos theta) / h_n'(x), with x = k r and
/// h_n the spherical Hankel function of the second kind.
public struct Sphere: BitwiseCopyable, Sendable {
    /// Radius in metres.
    public let radius: Double
    /// Speed of sound in m/s.
    public let speedOfSound: Double

    public init(radius: Double, speedOfSound: Double = Double(MicrophoneArray.speedOfSound)) {
        precondition(radius > 0 && speedOfSound > 0, "the radius and the speed of sound must be positive")
        self.radius = radius
        self.speedOfSound = speedOfSound
    }

    /// Computes everything about one frequency that does not depend on the angle, for use with many angles.
    /// - Parameter frequency: Hz, zero or greater.
    public func modes(frequency: Double) -> SphereModes {
        SphereModes(size: 2 * .pi * frequency * radius / speedOfSound)
    }

    /// - Parameters:
    ///   - frequency: Hz, zero or greater.
    ///   - cosine: cosine of the angle between the position on the surface and the direction of arrival.
    public func pressure(frequency: Double, cosine: Double) -> Complex {
        modes(frequency: frequency).pressure(cosine: cosine)
    }
}
