import Binaural
import DSP
import Evaluation
import TestSupport
import Testing

/// Errors of ears against a reference, with ears whose errors are known.
@Suite struct RecordingComparisonTests {
    private static let frames = 48_000

    private func noise(seed: UInt64, _ test: String = #function) -> [Float] {
        var random = SeededRandom(fixed: seed, test)
        return (0..<Self.frames).map { _ in random.within(-0.1...0.1) }
    }

    private func compare(_ left: [Float], _ right: [Float], with exact: (left: [Float], right: [Float])) -> RecordingComparison {
        RecordingComparison(.nearest, rendered: (left, right), reference: exact, rate: 48_000)
    }

    @Test func equalEarsHaveNoErrorsWhateverTheirGain() {
        let (left, right) = (noise(seed: 71), noise(seed: 72))
        let figures = compare(left.map { 0.5 * $0 }, right.map { 0.5 * $0 }, with: (left, right))
        #expect(abs(figures.gain + 6.0206) < 1e-3 && figures.delay == 0 && figures.windows == 22)
        #expect(figures.level.all.mean < 1e-3 && figures.interauralLevel.all.mean < 1e-3 && figures.interauralTime.mean < 1e-3)
        #expect(figures.erb.count == FrequencyBands.erb.count)
    }

    /// At a low rate the highest bands have no sound.
    @Test func bandsAboveHalfTheRateAreLeftOut() {
        let sound = noise(seed: 75)
        let figures = RecordingComparison(.nearest, rendered: (sound, sound), reference: (sound, sound), rate: 16_000)
        #expect(figures.erb.last!.mean.isNaN && figures.erb[10].mean < 1e-3 && figures.level.all.mean < 1e-3)
    }

    /// One ear is 6 dB louder than in the reference: 3.0 and 3.0 dB from the mean power, and 6 dB between the ears.
    @Test func levelsAreThoseOfTheEars() {
        let sound = noise(seed: 73)
        let figures = compare(sound.map { 2 * $0 }, sound, with: (sound, sound))
        #expect(abs(figures.gain - 3.979) < 1e-2)
        #expect(abs(figures.level.all.mean - 3.01) < 0.02 && abs(figures.interauralLevel.all.mean - 6.02) < 0.02)
        #expect(figures.interauralTime.mean < 1e-3)
    }

    /// The right ear is ten frames late, 208 us; both ears are 100 frames late.
    @Test func timesAreThoseOfTheEars() {
        let sound = noise(seed: 74)
        func late(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) + sound.dropLast(count) }
        let figures = compare(sound, late(10), with: (sound, sound))
        #expect(abs(figures.interauralTime.mean - 208.3) < 5 && abs(figures.interauralTime.bias - 208.3) < 5)
        #expect(compare(late(100), late(100), with: (sound, sound)).delay == 100)
        #expect(compare(sound, sound, with: (late(100), late(100))).delay == -100)
    }
}
