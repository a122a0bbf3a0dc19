public import DSP
internal import Glibc

/// Computes the pressure on a sphere's equator in a horizontal plane wave as a cosine series of the angle to the
/// source: p(angle) = sum over m of a_m cos(m angle).
///
/// The pressure is sampled at enough angles that omitted terms of the series do not alias.
public struct RingSeries: Sendable {
    /// Number of coefficients, from m = 0.
    public let terms: Int
    /// Steps from 0 to 180 degrees, at whose ends the pressure is sampled.
    private let steps: Int
    private let cosines: [Double]
    /// Cosine transform, with the weights of one angle next to each other.
    private let table: [Double]

    /// - Parameters:
    ///   - terms: 1 or more.
    ///   - size: largest product of wave number and radius.
    public init(terms: Int, size: Double) {
        let steps = max(terms, (Int(clamping: 1.2 * size) + 60 + terms) / 2 + 1)
        self.terms = terms
        self.steps = steps
        cosines = (0...steps).map { cos(.pi * Double($0) / Double(steps)) }
        table = (0...steps).flatMap { angle in
            let end = angle == 0 || angle == steps ? 0.5 : 1
            return (0..<terms).map { m in
                let share = (m == 0 ? 1.0 : 2) * end / Double(steps)
                return share * cos(.pi * Double(m * angle % (2 * steps)) / Double(steps))
            }
        }
    }

    /// Returns a_0, a_1, ... at the frequency of `modes`.
    public func coefficients(_ modes: SphereModes) -> [Complex] {
        var sums = [Complex](repeating: Complex(0), count: terms)
        for angle in 0...steps {
            let pressure = modes.pressure(cosine: cosines[angle])
            for m in 0..<terms { sums[m] = sums[m] + table[angle * terms + m] * pressure }
        }
        return sums
    }
}
