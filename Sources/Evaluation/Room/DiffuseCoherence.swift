internal import Binaural
internal import DSP
internal import Foundation

/// Magnitude of the coherence between two opposite places on a rigid sphere of 8.75 cm.
enum DiffuseCoherence {
    private static let radius = 0.0875

    /// In an ideal diffuse field: the mean over all directions, by the exact series.
    static func ideal(_ hertz: Double) -> Double {
        let modes = Sphere(radius: radius).modes(frequency: hertz)
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

    /// From the sixteen directions of the late field, by the same series, averaged over a third of an octave and the head's directions.
    static func late(_ hertz: Double) -> Double {
        let (count, sphere) = (LateFieldPlan.lines, Sphere(radius: radius))
        var total = 0.0
        let turns = 12
        for turn in 0..<turns {
            var (cross, left, right) = (Complex(0), 0.0, 0.0)
            let (c, s) = (Float(cos(Double(turn) * .pi / Double(turns))), Float(sin(Double(turn) * .pi / Double(turns))))
            for part in 0..<5 {
                let modes = sphere.modes(frequency: hertz * pow(2, (Double(part) - 2) / 15))
                for index in 0..<count {
                    let direction = LateDirections.direction(index, of: count)
                    let cosine = Double(c * direction[1] - s * direction[0])
                    let (l, r) = (modes.pressure(cosine: cosine), modes.pressure(cosine: -cosine))
                    cross = cross + l * Complex(r.re, -r.im)
                    left += l.re * l.re + l.im * l.im
                    right += r.re * r.re + r.im * r.im
                }
            }
            total += (cross.re * cross.re + cross.im * cross.im).squareRoot() / (left * right).squareRoot()
        }
        return total / Double(turns)
    }
}
