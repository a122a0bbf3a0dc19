import DSP
import Effects
import Foundation
import TestSupport
import Testing

/// Partials and formants of a vowel whose pitch is shifted.
@Suite struct FormantTests {
    static let pitch = 110.0
    /// Frequencies and bandwidths of an adult's vowels in hertz (Peterson and Barney 1952; Fant 1960).
    static let vowels = [
        "a": [(700.0, 80.0), (1220, 90), (2600, 120), (3500, 180), (4500, 250)],
        "i": [(280.0, 55.0), (2250, 100), (2890, 120), (3500, 180), (4500, 250)],
        "u": [(310.0, 60.0), (870, 80), (2250, 120), (3500, 180), (4500, 250)],
    ]
    var formants = vowels["a"]!

    /// Gain of the vowel's resonators at one frequency.
    func envelope(_ frequency: Double) -> Double {
        formants.reduce(1) { product, formant in
            let (centre, width) = formant
            let (f, c) = (frequency * frequency, centre * centre)
            return product * c / (pow(c - f, 2) + f * width * width).squareRoot()
        }
    }

    /// Glottal pulses through the resonators; all partials are in phase.
    func vowel(_ frames: Int, pitch: Double = pitch) -> Sound {
        var samples = [Double](repeating: 0, count: frames)
        for k in 1...Int(8000 / pitch) {
            let (frequency, level) = (pitch * Double(k), 0.02 * envelope(pitch * Double(k)))
            let step = Complex(magnitude: 1, phase: 2 * .pi * frequency / 48_000)
            var turn = Complex(magnitude: level, phase: 0)
            for n in 0..<frames {
                samples[n] += turn.im
                turn = turn * step
            }
        }
        return Sound(left: samples.map(Float.init))
    }

    /// Shift of the resonances, found from the levels of all partials above 250 Hz: the stretch of the envelope that
    /// fits them best, and the remaining error in dB.
    func stretch(_ samples: ArraySlice<Float>, _ pitch: Double, to highest: Double = 4000) -> (stretch: Double, error: Double) {
        let partials = (1...Int(highest / pitch)).map { Double($0) * pitch }.filter { $0 > 250 }
        let levels = partials.map { decibels(amplitude(samples, $0)) }
        var best = (stretch: 0.0, error: Double.infinity)
        for stretch in Swift.stride(from: 0.5, through: 1.7, by: 0.005) {
            let rests = zip(partials, levels).map { $1 - decibels(envelope($0 / stretch)) }
            let mean = rests.reduce(0, +) / Double(rests.count)
            let error = (rests.reduce(0) { $0 + pow($1 - mean, 2) } / Double(rests.count)).squareRoot()
            if error < best.error { best = (stretch, error) }
        }
        return best
    }

    func settings(_ semitones: Float, keeps: Bool) -> PitchShift.Settings {
        var settings = PitchShift.Settings()
        settings.semitones = semitones
        settings.formants = keeps ? 1 : 0
        return settings
    }

    @Test(arguments: [Float(7), -5, 4, -9])
    func formantsStayOrGoWithThePitch(_ semitones: Float) {
        let ratio = exp2(Double(semitones) / 12)
        let sound = vowel(72_000)
        #expect(abs(stretch(sound.left[24_000...], Self.pitch).stretch - 1) < 0.011)
        for keeps in [true, false] {
            var shifter = PitchShift(rate: 48_000, largestBlock: 512)
            let output = shifter.run(sound, block: 512, settings(semitones, keeps: keeps)).left[24_000...]
            // Content that comes from above the vowel's last formant is excluded.
            let found = stretch(output, Self.pitch * ratio, to: 4000 * min(1, ratio))
            print("\(semitones) semitones, formants \(keeps ? "kept" : "shifted"): stretched by \(found.stretch), \(found.error) dB")
            let wanted = keeps ? 1 : ratio
            #expect(abs(found.stretch / wanted - 1) < (keeps ? 0.04 : 0.03), "\(semitones) semitones, kept: \(keeps): \(found)")
            #expect(found.error < 4)
            // The pitch is the same in both cases.
            for k in [3, 6, 11] {
                let expected = Self.pitch * Double(k) * ratio
                let frequency = PitchShiftTests().frequency(output, near: expected)
                #expect(abs(1200 * log2(frequency / expected)) < 1, "partial \(k): \(1200 * log2(frequency / expected)) cents")
            }
            // The power is the same as well.
            let power = { (samples: ArraySlice<Float>) in samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(samples.count) }
            #expect(abs(10 * log10(power(output) / power(sound.left[24_000...]))) < 1.5)
        }
    }

    /// Without a shift, the removed formants are restored exactly.
    @Test(arguments: [64, 100, 512])
    func unshiftedIsTheSoundItself(_ block: Int) {
        var shifter = PitchShift(rate: 48_000, largestBlock: 512)
        var input = vowel(24_000)
        let noise = Sound.noise(24_000, level: 0.1)
        for n in 0..<24_000 { input.left[n] += noise.left[n] }
        input.right = noise.right
        let output = shifter.run(input, block: block, settings(0, keeps: true))
        let late = shifter.latency
        let worst = (4000..<24_000).reduce(Float(0)) {
            max($0, abs(output.left[$1] - input.left[$1 - late]), abs(output.right[$1] - input.right[$1 - late]))
        }
        #expect(worst < 1e-3, "\(worst)")
    }

    /// Switching on and off makes no step, and once off, the output equals that of one never switched on.
    @Test func switchingOffRestoresTheOutput() {
        var one = PitchShift(rate: 48_000, largestBlock: 64)
        var other = PitchShift(rate: 48_000, largestBlock: 64)
        let sound = Sound.tone(80, 144_000, level: 0.1)
        let switched = one.run(sound) { settings(5, keeps: (24_000..<72_000).contains($0)) }.left
        let still = other.run(sound, settings(5, keeps: false)).left
        #expect(switched[..<24_000] == still[..<24_000] && switched[120_000...] == still[120_000...])
        #expect(switched[50_000..<70_000] != still[50_000..<70_000])
        #expect(largestBend(switched) < 0.005)
    }

    /// Largest third difference after the beginning.
    func largestBend(_ samples: [Float]) -> Float {
        var most: Float = 0
        for n in 4000..<samples.count {
            let bend = samples[n] - 3 * samples[n - 1] + 3 * samples[n - 2] - samples[n - 3]
            most = max(most, abs(bend))
        }
        return most
    }

    /// With formants kept all the time and everything else jumping at every block, the output stays below four times
    /// the input's peak, without a click.
    @Test func jumpingParametersStayFiniteAndClickFree() {
        let seed = SeededRandom.seed("jumps")
        for sound in [Sound.tone(80, 96_000, level: 0.1), vowel(48_000)] {
            var random = SeededRandom(seed: seed)
            var shifter = PitchShift(rate: 48_000, largestBlock: 128)
            let output = shifter.run(sound, block: 128) { _ in
                settings(random.within(-24...24), keeps: true)
            }.left
            let loudest = output.reduce(0) { max($0, abs($1)) }
            let peak = sound.left.reduce(0) { max($0, abs($1)) }
            print("loudest \(loudest) of \(peak), bend \(largestBend(output)) of \(largestBend(sound.left))")
            #expect(output.allSatisfy(\.isFinite) && loudest < 4 * peak, "\(loudest) of \(peak), seed \(seed)")
            let (click, own) = (largestBend(output), largestBend(sound.left))
            #expect(click < max(0.005, 6 * own), "\(click), of the sound itself \(own), seed \(seed)")
        }
    }
}
