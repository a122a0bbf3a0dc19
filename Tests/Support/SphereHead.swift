public import Binaural
public import DSP
internal import Foundation

/// A rigid sphere as somebody whose head-related responses have been measured: the one head whose ears are known
/// exactly.
public struct SphereHead: Sendable {
    public let sphere: Sphere
    /// Samples by which the measurement is late.
    private static let delay = 60.0

    /// - Parameter radius: metres.
    public init(radius: Double) { sphere = Sphere(radius: radius) }

    /// What an ear hears of a wave from the horizon.
    /// - Parameters:
    ///   - azimuth: of the wave against the nose, degrees.
    public func pressure(_ ear: Ear, azimuth: Double, frequency: Double) -> Complex {
        sphere.pressure(frequency: frequency, cosine: cos((azimuth - Double(ear.azimuth)) * .pi / 180))
    }

    /// Measured every `step` degrees on the horizon, and, less densely, 30 degrees above and below.
    ///
    /// - Parameter gain: of the measurement, as a factor.
    public func responses(rate: Double = 48_000, length: Int = 256, step: Double = 5, gain: Double = 1) -> HeadResponses {
        var directions: [SIMD2<Double>] = stride(from: 0, to: 360, by: step).map { SIMD2($0, 0) }
        for elevation in [-30.0, 30] {
            directions += stride(from: 0, to: 360, by: 3 * step).map { SIMD2($0, elevation) }
        }
        let transform = FourierTransform(count: length)
        let (spectrum, time) = (UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins), UnsafeMutablePointer<Float>.allocateAligned(length))
        defer {
            spectrum.deallocate()
            time.deallocate()
        }
        let modes = (0..<transform.bins).map { sphere.modes(frequency: Double($0) * rate / Double(length)) }
        func response(_ direction: SIMD2<Double>, _ side: Double) -> [Float] {
            let radians = direction * (.pi / 180)
            let cosine = side * sin(radians.x) * cos(radians.y)
            for bin in 0..<transform.bins {
                let past = max(0, (2 * Double(bin) / Double(length) - 0.9) / 0.1)
                let turn = -2 * .pi * Double(bin) * Self.delay / Double(length)
                let scale = Complex(magnitude: gain / Double(length) * pow(cos(.pi / 2 * past), 2), phase: turn)
                let value = scale * modes[bin].pressure(cosine: cosine)
                spectrum[2 * bin] = Float(value.re)
                spectrum[2 * bin + 1] = Float(value.im)
            }
            transform.inverse(spectrum, into: time)
            return (0..<length).map { time[$0] }
        }
        return HeadResponses(
            rate: rate, length: length, azimuths: directions.map { $0.x }, elevations: directions.map { $0.y },
            left: directions.flatMap { response($0, 1) }, right: directions.flatMap { response($0, -1) })
    }
}
