import DSP
import Effects
import Foundation
import Testing

@Suite struct PitchShiftTests {
    /// Frequency near `expected` in the last second of samples: the maximum of the spectrum, to 0.5 cent.
    func frequency(_ samples: ArraySlice<Float>, near expected: Double) -> Double {
        var (low, high) = (expected * exp2(-30.0 / 1200), expected * exp2(30.0 / 1200))
        let slice = samples
        for _ in 0..<3 {
            let steps = (0...10).map { low + (high - low) * Double($0) / 10 }
            let heights = steps.map { amplitude(slice, $0) }
            let best = steps[heights.firstIndex(of: heights.max()!)!]
            let width = (high - low) / 10
            (low, high) = (best - width, best + width)
        }
        return (low + high) / 2
    }

    @Test(arguments: [Float(-24), -12, -7, -1, 1, 5, 12, 24])
    func partialsAreWithinACent(_ semitones: Float) {
        var shifter = PitchShift(rate: 48_000, largestBlock: 512)
        var settings = PitchShift.Settings()
        settings.semitones = semitones
        settings.cents = 13
        // Three partials of a string at 220.5 Hz.
        var input = Sound.silence(72_000)
        for k in 1...3 {
            let partial = Sound.tone(220.5 * Double(k), 72_000, level: 0.5 / Double(k)).left
            for n in 0..<72_000 { input.left[n] += partial[n] }
        }
        input.right = input.left
        let output = shifter.run(input, block: 512, settings).left[24_000...]
        let ratio = exp2((Double(semitones) + 0.13) / 12)
        for k in 1...3 {
            let expected = 220.5 * Double(k) * ratio
            let found = frequency(output, near: expected)
            #expect(abs(1200 * log2(found / expected)) < 1, "partial \(k): \(1200 * log2(found / expected)) cents")
            #expect(abs(decibels(amplitude(output, found) * Double(2 * k))) < 1.5, "partial \(k)")
        }
    }

    @Test func unshiftedIsTheSoundItself() {
        var shifter = PitchShift(rate: 48_000, largestBlock: 64)
        let input = Sound.noise(4000)
        let output = shifter.run(input, PitchShift.Settings())
        let late = shifter.latency
        let worst = (1000..<4000).reduce(Float(0)) { max($0, abs(output.left[$1] - input.left[$1 - late])) }
        #expect(worst < 1e-6)
    }

    /// After a shift and back to 0, the sound is at the declared latency again.
    @Test func latencyIsRestoredAfterAShift() {
        var shifter = PitchShift(rate: 48_000, largestBlock: 64)
        let input = Sound.noise(96_000)
        let output = shifter.run(input) { at in
            var settings = PitchShift.Settings()
            settings.semitones = at < 30_000 ? 7 : 0
            return settings
        }
        let late = shifter.latency
        let worst = (70_000..<96_000).reduce(Float(0)) { max($0, abs(output.left[$1] - input.left[$1 - late])) }
        #expect(worst < 1e-5)
    }

    /// A tone that would be shifted above half the rate does not fold to another frequency; one below it is heard.
    @Test(arguments: [(Float(12), 15_000.0), (7, 18_000), (24, 8000)])
    func tonesAboveHalfTheRateDoNotFold(_ semitones: Float, _ frequency: Double) {
        var shifter = PitchShift(rate: 48_000, largestBlock: 512)
        var settings = PitchShift.Settings()
        settings.semitones = semitones
        let folded = shifter.run(.tone(frequency, 48_000, level: 0.5), block: 512, settings).left[24_000...]
        let level = folded.reduce(0.0) { $0 + Double($1 * $1) } / Double(folded.count)
        #expect(decibels(level.squareRoot() / 0.354) < -50, "\(semitones)")
        shifter.reset()
        let kept = shifter.run(.tone(frequency / 3, 48_000, level: 0.5), block: 512, settings).left[24_000...]
        let keptLevel = kept.reduce(0.0) { $0 + Double($1 * $1) } / Double(kept.count)
        #expect(decibels(keptLevel.squareRoot() / 0.354) > -2, "\(semitones)")
    }
}
