import Binaural
import DSP
import Foundation
import Testing

@testable import Evaluation

@Suite struct MeasureTests {
    @Test func statisticsOfKnownNumbers() {
        // 0 to 20 with alternating signs: the 95th percentile of 21 numbers is the 20th.
        let errors = (0...20).map { Float($0) * ($0.isMultiple(of: 2) ? 1 : -1) }
        let statistics = ErrorStatistics(errors)
        #expect(statistics.mean == 10)
        #expect(statistics.p95 == 19)
        #expect(abs(statistics.bias - 10.0 / 21) < 1e-9)
        #expect(ErrorStatistics([Float(-2), 2]) == ErrorStatistics([Float(2), -2]))
        #expect(abs(ErrorStatistics([Float(0), 1]).p95 - 0.95) < 1e-9)
        #expect(ErrorStatistics([Float]()).mean.isNaN)
    }

    @Test func erbScale() {
        // Glasberg and Moore 1990: a bandwidth of 132.6 Hz and ERB number 15.6 at 1 kHz.
        #expect(abs(ErbScale.bandwidth(at: 1000) - 132.64) < 0.01)
        #expect(abs(ErbScale.number(of: 1000) - 15.62) < 0.01)
        for frequency in [50.0, 440, 16_000] {
            #expect(abs(ErbScale.frequency(of: ErbScale.number(of: frequency)) - frequency) < 1e-9)
        }
        let erb = FrequencyBands.erb
        #expect(erb.edges.first! > 70 && erb.edges.last! < 16_000 && erb.count == 37)
        let thirds = FrequencyBands.thirdOctaves
        #expect(abs(thirds.centres[13] - 1000) < 1e-9 && thirds.centres.count == 25)
        #expect(abs(thirds.edges[14] / thirds.edges[13] - pow(10, 0.1)) < 1e-12)
    }

    /// White lines: the power of a band equals its width, also for bands narrower than the spacing.
    @Test(arguments: [5.859375, 46.875, 93.75])
    func bandPowersAreWidths(spacing: Double) {
        let powers = BandPowers(.erb, spacing: spacing)
        let sums = powers.sums([Float](repeating: 1, count: powers.lines))
        for band in sums.indices {
            let width = FrequencyBands.erb.edges[band + 1] - FrequencyBands.erb.edges[band]
            #expect(abs(sums[band] * spacing / width - 1) < 1e-9)
        }
    }

    /// A right ear with a given delay and a given attenuation.
    @Test(arguments: [0.0, 123.4, -310, 655])
    func interauralDifferences(microseconds: Double) {
        let spacing = 48_000.0 / 8192
        let left = LineSpectrum.noise(lines: 2800, range: 1...2799, seed: 3, stream: 4)
        var shift = LineSpectrum(lines: 2800)
        for line in 0..<2800 {
            let phase = -2 * .pi * spacing * Double(line) * microseconds * 1e-6
            shift.re[line] = Float(0.5 * cos(phase))
            shift.im[line] = Float(0.5 * sin(phase))
        }
        let right = left.times(shift)
        #expect(abs(InterauralDifference.time(left: left, right: right, spacing: spacing) - microseconds) < 0.5)
        let powers = BandPowers(.erb, spacing: spacing)
        let levels = InterauralDifference.levels(left: powers.sums(left.powers), right: powers.sums(right.powers))
        for level in levels { #expect(abs(level - 6.0206) < 0.001) }
    }

    /// A right ear that is delayed above 4 kHz only, and has another phase there. The delay below does not count.
    @Test(arguments: [-420.0, -35, 0, 270, 700])
    func envelopesAreComparedAboveFourKilohertz(_ delay: Double) {
        let spacing = 48_000.0 / 8192
        let left = LineSpectrum.noise(lines: 2800, range: 1...2799, seed: 1, stream: 3)
        var right = left
        for line in 0..<2800 {
            let hertz = Double(line) * spacing
            let phase = hertz < 4000 ? 2 * .pi * hertz * 3e-4 : 1 - 2 * .pi * hertz * delay * 1e-6
            let (re, im) = (Float(cos(phase)), Float(sin(phase)))
            (right.re[line], right.im[line]) = (
                left.re[line] * re - left.im[line] * im, left.re[line] * im + left.im[line] * re
            )
        }
        let found = EnvelopeDelay(period: 8192, spacing: spacing).time(left: left, right: right)
        #expect(abs(found - delay) < 3, "\(found) us, \(delay) us wanted")
    }

    /// The difference from the exact ear in dB, and the frequency where it begins.
    @Test func complexErrorOfAKnownDifference() {
        var sums = StaticSums(lines: 2800)
        let spacing = 48_000.0 / 8192
        let exact = LineSpectrum.noise(lines: 2800, range: 1...2799, seed: 1, stream: 1)
        var rendered = exact
        for line in 0..<2800 {
            let gain: Float = Double(line) * spacing < 3000 ? 1.05 : 1.2
            rendered.re[line] *= gain
            rendered.im[line] *= gain
        }
        let bands = (BandPowers(.erb, spacing: spacing), BandPowers(.thirdOctaves, spacing: spacing))
        let ear = EarMeasurement(rendered: rendered, exact: exact, erb: bands.0, thirdOctaves: bands.1)
        sums.add(left: ear, right: ear, spacing: spacing, envelopes: EnvelopeDelay(period: 8192, spacing: spacing))
        #expect(abs(sums.firstComplexError(above: -20, spacing: spacing)! - 3000) < 60)
        #expect(sums.firstComplexError(above: -13, spacing: spacing) == nil)
        #expect(abs(sums.erb[5][0] - 0.4238) < 0.001)
        #expect(sums.times == [0] && sums.envelopeTimes == [0] && sums.levels.allSatisfy { abs($0) < 1e-4 })
    }
}
