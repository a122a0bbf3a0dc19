internal import Foundation

/// A band of one octave: Butterworth filters of the tenth order at both edges, so that a neighbour that decays more slowly has no
/// influence.
struct OctaveBand {
    private var sections: [(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double)] = []

    init(_ centre: Double, rate: Double) {
        for q in (0..<5).map({ 1 / (2 * cos(.pi * (2 * Double($0) + 1) / 20)) }) {
            sections.append(Self.section(centre / 2.0.squareRoot(), q, rate, isHigh: true))
            if centre * 2.0.squareRoot() < 0.48 * rate { sections.append(Self.section(centre * 2.0.squareRoot(), q, rate, isHigh: false)) }
        }
    }

    private static func section(
        _ hertz: Double, _ q: Double, _ rate: Double, isHigh: Bool
    ) -> (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        let angle = 2 * Double.pi * hertz / rate
        let (c, alpha) = (cos(angle), sin(angle) / (2 * q))
        let (scale, sign): (Double, Double) = (1 / (1 + alpha), isHigh ? -1 : 1)
        let edge = (1 - sign * c) / 2 * scale
        return (edge, sign * 2 * edge, edge, -2 * c * scale, (1 - alpha) * scale)
    }

    func filtered(_ samples: [Float]) -> [Double] {
        var output = samples.map(Double.init)
        for section in sections {
            var (s1, s2) = (0.0, 0.0)
            for i in output.indices {
                let x = output[i]
                let y = section.b0 * x + s1
                s1 = section.b1 * x - section.a1 * y + s2
                s2 = section.b2 * x - section.a2 * y
                output[i] = y
            }
        }
        return output
    }
}
