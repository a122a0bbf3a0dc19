internal import Binaural
internal import DSP
internal import Foundation

/// Magnitude of the coherence between two opposite places on a rigid sphere of the standard radius.
enum DiffuseCoherence {
    /// Coherence in an ideal diffuse field: the mean over all directions, by the exact series.
    static func ideal(_ hertz: Double) -> Double {
        let modes = Sphere(radius: MicrophoneArray.standardRadius).modes(frequency: hertz)
        var (cross, power) = (Complex(0), 0.0)
        // The directions are uniform in the cosine to the axis of the ears.
        let steps = 400
        for step in 0..<steps {
            let cosine = -1 + (Double(step) + 0.5) * 2 / Double(steps)
            let (left, right) = (modes.pressure(cosine: cosine), modes.pressure(cosine: -cosine))
            cross = cross + left * Complex(right.re, -right.im)
            power += left.re * left.re + left.im * left.im
        }
        return (cross.re * cross.re + cross.im * cross.im).squareRoot() / power
    }
}
