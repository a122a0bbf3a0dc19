internal import DSP
internal import Glibc

/// Gains by frequency that remove a measured head's mean colour and bring it to the level of the other methods.
///
/// The gains are real and the same for both ears and all directions, so that differences between ears and directions stay
/// as measured.
struct HRTFColour {
    /// Width of the band over which mean spectra are averaged, octaves.
    private static let width = 1.0 / 3
    /// Range of the equalisation, as factors: a measurement without energy at a frequency is not amplified without limit.
    private static let range = 0.04...6.0
    /// Share of the measurement's rate up to which it is equalised; its anti-aliasing filter begins above.
    private static let top = 0.42
    /// Third-octave levels of speech from 63 Hz to 16 kHz, dB: the mean of Byrne et al., "An international comparison of
    /// long-term average speech spectra" (JASA 96, 1994), with the K-weighting of ITU-R BS.1770.
    private static let speech = [
        35.9, 41.8, 53.3, 57.0, 56.4, 59.9, 60.1, 58.9, 62.1, 62.1, 60.6, 57.1, 54.4, 54.3, 54.3, 51.8, 51.7, 50.6, 49.6, 48.5,
        48.3, 47.7, 47.4, 45.3, 44.7,
    ]

    /// Factor for each frequency.
    let gains: [Double]

    /// - Parameters:
    ///   - responses: by frequency, ear and direction.
    ///   - sphere: the same of a rigid sphere as large as the head.
    ///   - spacing: Hz between frequencies, from 0.
    ///   - highest: rate of the measurement, Hz.
    init(
        _ responses: [[[Complex]]], sphere: [[[Complex]]], _ directions: HeadDirections, _ equalisation: HRTFEqualisation,
        spacing: Double, rate highest: Double
    ) {
        let horizon = Self.powers(responses, directions.weights)
        let due = Self.powers(sphere, directions.weights)
        let last = min(responses.count - 1, Int(clamping: Self.top * highest / spacing))
        var gains = [Double](repeating: 1, count: responses.count)
        if equalisation != .none {
            let heard = equalisation == .neutral ? horizon : Self.powers(responses, directions.shares)
            for bin in 0...last {
                let (low, high) = (Double(bin) * exp2(-Self.width / 2), Double(bin) * exp2(Self.width / 2))
                let band = Int(clamping: low.rounded())...min(last, Int(clamping: high.rounded()))
                let power = heard[band].reduce(0, +)
                let wanted = equalisation == .neutral ? due[band].reduce(0, +) : 2 * Double(band.count)
                let gain = power > 0 ? (wanted / power).squareRoot() : 1
                gains[bin] = max(Self.range.lowerBound, min(Self.range.upperBound, gain))
            }
            for bin in last + 1..<max(last + 1, gains.count) { gains[bin] = gains[last] }
        }
        var (loud, level) = (0.0, 0.0)
        for bin in 1..<max(last + 1, 1) {
            let weight = Self.speechDensity(Double(bin) * spacing)
            loud += weight * gains[bin] * gains[bin] * horizon[bin]
            level += weight * due[bin]
        }
        let overall = loud > 0 ? (level / loud).squareRoot() : 1
        self.gains = gains.map { overall * $0 }
    }

    /// Weighted power over directions, of both ears together, for each frequency.
    private static func powers(_ responses: [[[Complex]]], _ weights: [Double]) -> [Double] {
        responses.map { ears in
            ears.reduce(0) { sum, ear in
                zip(ear, weights).reduce(sum) { $0 + $1.1 * ($1.0.re * $1.0.re + $1.0.im * $1.0.im) }
            }
        }
    }

    /// Power of speech in one hertz, in any unit.
    private static func speechDensity(_ frequency: Double) -> Double {
        let band = 10 * log10(frequency) - 18
        guard band >= -0.5, band <= Double(speech.count) - 0.5 else { return 0 }
        let along = max(0, min(Double(speech.count) - 1, band))
        let index = min(Int(clamping: along), speech.count - 2)
        let level = speech[index] + (along - Double(index)) * (speech[index + 1] - speech[index])
        return pow(10, level / 10) / frequency
    }
}
