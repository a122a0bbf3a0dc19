import DSP
import Effects
import Foundation
import Rack
import Testing

/// The pitch shift of high quality: chords, attacks, tones and vowels.
@Suite struct PitchQualityTests {
    /// E major on six strings, twelve partials each, whose phases are spread.
    static let notes = [82.41, 123.47, 164.81, 207.65, 246.94, 329.63]
    static let partials = notes.flatMap { note in (1...12).map { (frequency: note * Double($0), level: 0.03 / Double($0)) } }
    static let chord = sounding { Double($0 * $0) * 0.7 }
    /// The same with pulses, all partials of a note in phase: pulses of several notes meet now and then, as loud as an attack.
    static let pulses = sounding { _ in 0 }

    static func sounding(_ angle: (Int) -> Double) -> Sound {
        var samples = [Double](repeating: 0, count: 160_000)
        for (i, partial) in partials.enumerated() {
            let (turn, angle) = (2 * Double.pi * partial.frequency / 48_000, angle(i))
            for n in samples.indices { samples[n] += partial.level * sin(turn * Double(n) + angle) }
        }
        return Sound(left: samples.map(Float.init))
    }

    /// - Parameter quality: 1 high, 2 highest.
    func settings(_ semitones: Float, keepsFormants: Bool = false, quality: Float = 1) -> PitchShift.Settings {
        var settings = PitchShift.Settings()
        settings.semitones = semitones
        settings.quality = quality
        settings.formants = keepsFormants ? 1 : 0
        return settings
    }

    func shifter(quality: Float = 1) -> PitchShift {
        PitchShift(rate: 48_000, largestBlock: 512, settings: settings(0, quality: quality), response: nil)
    }

    /// Energy farther than 10 Hz from any partial, relative to the whole: at most -45 dB, where the low latency has -23 to -28.
    @Test(arguments: [Float(-12), -5, 3, 7], [false, true])
    func chordLeavesLittleBesidesItsPartials(_ semitones: Float, _ isPulsed: Bool) {
        var shifter = shifter()
        let chord = isPulsed ? Self.pulses : Self.chord
        let output = shifter.run(chord, block: 512, settings(semitones)).left
        let spectrum = Spectrum(output[28_000..<28_000 + (1 << 17)], count: 1 << 17, isWindowed: true)
        let ratio = exp2(Double(semitones) / 12)
        var isPartial = [Bool](repeating: false, count: spectrum.power.count)
        for partial in Self.partials {
            for i in spectrum.bins(partial.frequency * ratio - 10...partial.frequency * ratio + 10) { isPartial[i] = true }
        }
        var (all, beside) = (0.0, 0.0)
        for (power, isPartial) in zip(spectrum.power, isPartial) {
            all += power
            if !isPartial { beside += power }
        }
        let power = { (samples: ArraySlice<Float>) in samples.reduce(0.0) { $0 + Double($1 * $1) } }
        #expect(abs(10 * log10(power(output[28_000...]) / power(chord.left[28_000...]))) < 1)
        #expect(10 * log10(beside / all) < -45, "\(semitones) semitones: \(10 * log10(beside / all)) dB")
    }

    /// Partials 6 to 12 Hz apart, as of open strings, beat within a frame of the quality `high`, and are separate in the longer one: at
    /// most -30 dB farther than 5 Hz from any partial.
    @Test(arguments: [Float(-12), -5, 3, 7])
    func longFramesSeparateDensePartials(_ semitones: Float) {
        let frequencies = [82.41, 110, 146.83, 196, 246.94, 329.63].flatMap { note in (1...12).map { note * Double($0) } }
        var samples = [Double](repeating: 0, count: 160_000)
        for (i, frequency) in frequencies.enumerated() {
            let (level, angle) = (0.03 / Double(i % 12 + 1), Double(i * i) * 0.7)
            for n in samples.indices { samples[n] += level * sin(2 * .pi * frequency * Double(n) / 48_000 + angle) }
        }
        let rests = [Float(1), 2].map { (quality: Float) -> Double in
            let values = settings(semitones, quality: quality)
            var shifter = shifter(quality: quality)
            let output = shifter.run(Sound(left: samples.map(Float.init)), block: 512, values).left
            let spectrum = Spectrum(output[28_000..<28_000 + (1 << 17)], count: 1 << 17, isWindowed: true)
            var beside = spectrum.power
            for frequency in frequencies {
                let place = frequency * exp2(Double(semitones) / 12)
                for i in spectrum.bins(place - 5...place + 5) { beside[i] = 0 }
            }
            return 10 * log10(beside.reduce(0, +) / spectrum.power.reduce(0, +))
        }
        #expect(rests[1] < -30 && rests[1] < rests[0], "\(rests) dB")
        if semitones == -12 || semitones == 7 { #expect(rests[0] > -20, "\(rests) dB") }
    }

    /// Hits come within 1 ms of the declared latency, without a sound before and without another attack.
    @Test(arguments: [Float(-12), -5, 3, 7, 19, 24], [Float(1), 2])
    func attacksComeOnceAndInTime(_ semitones: Float, _ quality: Float) {
        let hits = [16_000, 36_300, 55_077]
        var sound = Sound.silence(76_000)
        let noise = Sound.noise(76_000, level: 0.5, seed: 5).left
        for hit in hits {
            for n in hit..<76_000 { sound.left[n] += noise[n] * Float(exp(-Double(n - hit) / 960)) }
        }
        sound.right = sound.left
        var shifter = shifter(quality: quality)
        let output = shifter.run(sound, block: 512, settings(semitones, quality: quality)).left
        for hit in hits {
            let (before, after) = (envelope(sound.left, hit), envelope(output, hit + shifter.latency))
            let (first, heard) = (half(before), half(after))
            #expect(abs(heard - first) <= 3, "\(Double(heard - first) / 3) ms")
            let most = after.max()!
            #expect(after[..<(first - 6)].max()! < most / 10)
            var least = most
            for level in after[after.firstIndex(of: most)!...] where level > most / 30 {
                least = min(least, level)
                #expect(level < 2 * least, "another attack: \(20 * log10(level / least)) dB")
            }
        }
    }

    /// Root mean square over 3 ms, from 50 ms before a sample on to 120 ms after it, three values a millisecond.
    private func envelope(_ samples: [Float], _ hit: Int) -> [Float] {
        (-150..<360).map { step in
            let end = hit + 16 * step
            let sum = samples[max(0, end - 144)..<min(samples.count, max(end, 1))].reduce(0) { $0 + $1 * $1 }
            return (sum / 144).squareRoot()
        }
    }

    private func half(_ envelope: [Float]) -> Int { envelope.firstIndex { $0 > envelope.max()! / 2 }! }

    /// A tone fitted by least squares leaves at most -80 dB, and is within a tenth of a cent.
    @Test(arguments: [Float(-12), -5, 3, 7, 12], [Float(1), 2])
    func tonesStayPure(_ semitones: Float, _ quality: Float) {
        var shifter = shifter(quality: quality)
        let output = shifter.run(.tone(1000, 48_000, level: 0.4), block: 512, settings(semitones, quality: quality)).left[24_000...]
        let frequency = 1000 * exp2(Double(semitones) / 12)
        #expect(decibels(rest(output, frequency)) < -80, "\(decibels(rest(output, frequency))) dB")
        // The rest grows to the sides: a thousandth of a cent of a second is a thousandth of a turn.
        #expect(rest(output, frequency) < rest(output, frequency * exp2(0.1 / 1200)))
        #expect(rest(output, frequency) < rest(output, frequency * exp2(-0.1 / 1200)))
    }

    /// Amplitude that remains beside a tone, relative to it.
    private func rest(_ samples: ArraySlice<Float>, _ frequency: Double) -> Double {
        var (cc, cs, ss, xc, xs, xx) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for (n, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(n) / 48_000
            let (c, s, x) = (cos(angle), sin(angle), Double(sample))
            cc += c * c
            cs += c * s
            ss += s * s
            xc += x * c
            xs += x * s
            xx += x * x
        }
        let determinant = cc * ss - cs * cs
        let (a, b) = ((xc * ss - xs * cs) / determinant, (xs * cc - xc * cs) / determinant)
        return (max(1e-20, xx - a * xc - b * xs) / xx).squareRoot()
    }

    /// Every partial of a vowel that keeps its formants is within 3 dB of the formants' own response, and its power is the same.
    @Test(arguments: [Float(-7), 7], [110.0, 220])
    func formantsStayWithinThreeDecibels(_ semitones: Float, _ pitch: Double) {
        for (name, formants) in FormantTests.vowels.sorted(by: { $0.key < $1.key }) {
            let model = FormantTests(formants: formants)
            let ratio = exp2(Double(semitones) / 12)
            let sound = model.vowel(72_000, pitch: pitch)
            for quality in [Float(1), 2] {
                var shifter = shifter(quality: quality)
                let output = shifter.run(sound, block: 512, settings(semitones, keepsFormants: true, quality: quality)).left[24_000...]
                let partials = (1...Int(4000 * min(1, ratio) / (pitch * ratio))).map { Double($0) * pitch * ratio }.filter { $0 > 250 }
                let levels = partials.map { decibels(amplitude(output, $0) / model.envelope($0)) }
                let mean = levels.reduce(0, +) / Double(levels.count)
                let worst = levels.map { abs($0 - mean) }.max()!
                print("vowel \(name) at \(pitch) Hz, \(semitones) semitones, quality \(quality):", worst, "dB")
                #expect(worst < 3, "vowel \(name), quality \(quality): \(worst) dB")
                // That of the closed vowels depends on where the partials lie in the lowest formant.
                guard name == "a" else { continue }
                let power = { (samples: ArraySlice<Float>) in samples.reduce(0.0) { $0 + Double($1 * $1) } }
                #expect(abs(10 * log10(power(output) / power(sound.left[24_000...]))) < 2.5)
            }
        }
    }

    /// Without a shift, and after one, the sound is the input at the declared latency, in blocks of any size.
    @Test(arguments: [64, 100, 512])
    func unshiftedIsTheSoundItself(_ block: Int) {
        var shifter = shifter()
        let input = Sound.noise(72_000, level: 0.5)
        let output = shifter.run(input, block: block) { at in settings((10_000..<20_000).contains(at) ? 5 : 0) }
        let late = shifter.latency
        for frames in [late..<10_000, 45_000..<72_000] {
            let worst = frames.reduce(Float(0)) {
                max($0, abs(output.left[$1] - input.left[$1 - late]), abs(output.right[$1] - input.right[$1 - late]))
            }
            #expect(worst < 1e-4, "\(frames): \(worst)")
        }
    }

    /// A rack declares the latency of the quality.
    @Test func racksFollowTheLatency() {
        func latency(_ quality: Float) -> Int {
            var slot = RackDescription.Slot(.pitchShift)
            slot.values[slot.values.count - 1] = quality
            return Rack(.init([.slot(slot)]), rate: 48_000, largestBlock: 64, ceiling: -1).latency
        }
        #expect(latency(1) - latency(0) == shifter().latency - PitchShift(rate: 48_000, largestBlock: 64).latency)
        #expect(latency(1) > latency(0))
    }
}
