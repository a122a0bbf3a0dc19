internal import Glibc

/// Accumulated errors of all ears and sources of a ``StaticEvaluation``.
struct StaticSums {
    /// Level errors in dB by ERB band.
    private(set) var erb = [[Float]](repeating: [], count: FrequencyBands.erb.count)
    /// Level errors in dB by third octave.
    private(set) var thirdOctaves = [[Float]](repeating: [], count: FrequencyBands.thirdOctaves.count)
    /// Power of the difference to the exact ear, by line.
    private(set) var difference: [Float]
    /// Power of the exact ear, by line.
    private(set) var power: [Float]
    /// Errors of interaural time differences in microseconds.
    private(set) var times: [Float] = []
    /// Errors of the envelopes' interaural time differences in microseconds.
    private(set) var envelopeTimes: [Float] = []
    /// Errors of interaural level differences in dB, of all bands.
    private(set) var levels: [Float] = []

    init(lines: Int) {
        difference = [Float](repeating: 0, count: lines)
        power = difference
    }

    mutating func add(left: EarMeasurement, right: EarMeasurement, spacing: Double, envelopes: EnvelopeDelay) {
        for ear in [left, right] {
            for (band, error) in Self.errors(ear.erb).enumerated() { erb[band].append(error) }
            for (band, error) in Self.errors(ear.thirdOctaves).enumerated() { thirdOctaves[band].append(error) }
            addDifference(ear)
        }
        times.append(
            Float(
                InterauralDifference.time(left: left.rendered, right: right.rendered, spacing: spacing)
                    - InterauralDifference.time(left: left.exact, right: right.exact, spacing: spacing)))
        envelopeTimes.append(
            Float(
                envelopes.time(left: left.rendered, right: right.rendered)
                    - envelopes.time(left: left.exact, right: right.exact)))
        let rendered = InterauralDifference.levels(left: left.erb.rendered, right: right.erb.rendered)
        let exact = InterauralDifference.levels(left: left.erb.exact, right: right.erb.exact)
        for (found, wanted) in zip(rendered, exact) { levels.append(Float(found - wanted)) }
    }

    private mutating func addDifference(_ ear: EarMeasurement) {
        for line in difference.indices {
            let (re, im) = (ear.rendered.re[line] - ear.exact.re[line], ear.rendered.im[line] - ear.exact.im[line])
            difference[line] += re * re + im * im
            power[line] += ear.exact.re[line] * ear.exact.re[line] + ear.exact.im[line] * ear.exact.im[line]
        }
    }

    /// Returns the level error in dB in each band.
    static func errors(_ powers: EarMeasurement.Powers) -> [Float] {
        zip(powers.rendered, powers.exact).map { Float(10 * log10($0 / $1)) }
    }

    /// Returns the lowest frequency in Hz where the difference, over about 100 Hz, exceeds `threshold` dB.
    func firstComplexError(above threshold: Double, spacing: Double) -> Double? {
        let reach = max(1, Int(clamping: 50 / spacing))
        let limit = Float(pow(10, threshold / 10))
        for line in 1 + reach..<difference.count - reach {
            let around = line - reach...line + reach
            if difference[around].reduce(0, +) > limit * power[around].reduce(0, +) { return Double(line) * spacing }
        }
        return nil
    }
}
