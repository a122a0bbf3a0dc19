internal import Binaural
internal import DSP
internal import Glibc

/// Gain and place of each microphone relative to those that the renderer assumes.
struct SensorErrors: Sendable {
    /// Factor of each channel.
    let gains: [Float]
    /// Degrees by which each channel is displaced on the equator.
    let displacements: [Double]

    /// Normally distributed errors.
    ///
    /// - Parameters:
    ///   - gain: standard deviation, dB.
    ///   - position: standard deviation, degrees.
    static func random(_ count: Int, gain: Double, position: Double, seed: UInt64, stream: UInt64) -> SensorErrors {
        var random = SeededRandom(seed: seed, stream: stream)
        func normal() -> Double {
            (-2 * log(max(random.unit(), 1e-12))).squareRoot() * cos(2 * .pi * random.unit())
        }
        let errors = (0..<count).map { _ in (normal(), normal()) }
        return SensorErrors(
            gains: errors.map { Float(pow(10, gain * $0.0 / 20)) }, displacements: errors.map { position * $0.1 })
    }
}
