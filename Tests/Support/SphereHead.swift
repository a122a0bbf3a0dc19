public import Binaural
public import DSP
internal import Foundation

/// A rigid sphere as a head, the only one whose ears are known exactly.
public struct SphereHead: Sendable {
    private let sphere: Sphere
    private let radius: Double

    /// - Parameter radius: metres.
    public init(radius: Double) {
        self.radius = radius
        sphere = Sphere(radius: radius)
    }

    /// Pressure at an ear for a horizontal plane wave.
    /// - Parameter azimuth: azimuth of the wave relative to the nose, degrees.
    public func pressure(_ ear: Ear, azimuth: Double, frequency: Double) -> Complex {
        sphere.pressure(frequency: frequency, cosine: cos((azimuth - Double(ear.azimuth)) * .pi / 180))
    }

    /// Responses as a measurement would have them.
    public func responses(rate: Double = 48_000) -> HeadResponses { .sphere(radius: radius, rate: rate) }
}
