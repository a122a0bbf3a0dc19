internal import DSP
internal import Glibc

/// Measured responses compared with those of a rigid sphere: the time at which sound passes the head's centre, the
/// radius of the head, and the level of the measurement.
struct HeadFit: Sendable, Equatable {
    /// Time from the first onset at any ear to the passage of the head's centre, seconds.
    let origin: Double
    /// Radius of the sphere with the same phase differences between its ears, metres.
    let radius: Double
    /// Factor that brings the measurement to the level of that sphere in a plane wave of amplitude 1.
    let gain: Double

    /// Frequency range in which the mean delay over ears and directions is fitted, Hz.
    private static let passing = stride(from: 300.0, through: 700, by: 100)
    /// Frequency range in which phases differ by less than half a turn between any two ears, Hz.
    private static let turning = [300.0, 400, 500]
    /// Frequency range in which heads differ little in level, Hz.
    private static let loud = stride(from: 300.0, through: 1500, by: 100)
    /// Range of radii that is searched, metres.
    static let radii = stride(from: 0.05, through: 0.15, by: 0.001)

    init(_ spectra: HeadSpectra) {
        let weights = spectra.directions.weights
        func responses(_ frequency: Double, _ origin: Double = 0) -> [[Complex]] {
            (0..<2).map { spectra.response(ear: $0, frequency: frequency, origin: origin) }
        }
        var slope = Complex(0)
        for frequency in Self.passing {
            let (low, high) = (responses(frequency), responses(frequency + 100))
            for ear in 0..<2 {
                for (i, weight) in weights.enumerated() {
                    slope = slope + weight * (high[ear][i] * Complex(low[ear][i].re, -low[ear][i].im))
                }
            }
        }
        origin = -slope.phase / (2 * .pi * 100)
        radius = Self.radius(spectra.directions, responses)
        let sphere = Sphere(radius: radius)
        var (heard, due) = (0.0, 0.0)
        for frequency in Self.loud {
            let modes = sphere.modes(frequency: frequency)
            let measured = responses(frequency)
            for (ear, side) in [(0, 1.0), (1, -1.0)] {
                for (i, weight) in weights.enumerated() {
                    heard += weight * pow(measured[ear][i].magnitude, 2)
                    due += weight * pow(modes.pressure(cosine: side * spectra.directions.units[i].y).magnitude, 2)
                }
            }
        }
        gain = heard > 0 ? (due / heard).squareRoot() : 1
    }

    /// Finds the radius of the sphere whose phase differences fit best on average over directions.
    private static func radius(_ directions: HeadDirections, _ responses: (Double, Double) -> [[Complex]]) -> Double {
        let measured = turning.map { responses($0, 0) }
        let candidates = Array(radii)
        let fits = candidates.map { radius in
            var fit = 0.0
            for (frequency, ears) in zip(turning, measured) {
                let modes = Sphere(radius: radius).modes(frequency: frequency)
                for (i, weight) in directions.weights.enumerated() {
                    let model =
                        modes.pressure(cosine: directions.units[i].y).phase
                        - modes.pressure(cosine: -directions.units[i].y).phase
                    fit += weight * cos(ears[0][i].phase - ears[1][i].phase - model)
                }
            }
            return fit
        }
        let best = (1..<fits.count - 1).max { fits[$0] < fits[$1] }!
        let curve = fits[best - 1] - 2 * fits[best] + fits[best + 1]
        let shift = curve < 0 ? 0.5 * (fits[best - 1] - fits[best + 1]) / curve : 0
        return candidates[best] + max(-1, min(1, shift)) * 0.001
    }
}
