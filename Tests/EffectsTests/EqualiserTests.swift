import DSP
import Effects
import Foundation
import TestSupport
import Testing

@Suite struct EqualiserTests {
    /// All bands off but the last.
    static func settings(_ band: Equaliser.Band) -> Equaliser.Settings {
        var settings = Equaliser.Settings()
        settings.band8 = band
        return settings
    }

    /// Largest difference in decibels from the analogue circuit, 20 Hz to 20 kHz, where that is above -50 dB.
    static func error(_ band: Equaliser.Band, rate: Double = 48_000) -> Double {
        var equaliser = Equaliser(rate: Float(rate), largestBlock: 512)
        let sound = equaliser.run(.impulse(band.frequency < 100 ? 32_768 : 8192), block: 512, settings(band)).left
        let prototype = Prototype(band)
        var worst = 0.0
        for step in 0...60 {
            let frequency = 20 * pow(1000, Double(step) / 60)
            let meant = 10 * log10(prototype.power(frequency))
            guard meant > -50 else { continue }
            worst = max(worst, abs(response(sound, frequency, rate: rate).decibels - meant))
        }
        return worst
    }

    @Test(arguments: [Float(40), 200, 1000, 2500, 4000, 8000, 12_000, 16_000, 19_000])
    func peaksAreAnalogue(_ frequency: Float) {
        for q in [Float(0.3), 0.5, 1, 3] {
            for gain in [Float(-6), 6] {
                #expect(Self.error(.init(.peak, frequency: frequency, gain: gain, q: q)) < 0.05, "Q \(q), \(gain) dB")
            }
            for gain in [Float(-15), 15] {
                #expect(Self.error(.init(.peak, frequency: frequency, gain: gain, q: q)) < 0.1, "Q \(q), \(gain) dB")
            }
        }
        #expect(Self.error(.init(.peak, frequency: frequency, gain: 18, q: 0.7)) < 0.12)
    }

    /// At 44.1 kHz as well, up to 20 kHz, and with the peak at its highest.
    @Test(arguments: [Float(40), 1000, 8000, 16_000, 18_000, 20_000])
    func peaksAreAnalogueAtOtherRates(_ frequency: Float) {
        for q in [Float(0.3), 0.5, 1] {
            for gain in [Float(-6), 6] {
                #expect(Self.error(.init(.peak, frequency: frequency, gain: gain, q: q), rate: 44_100) < 0.1, "Q \(q), \(gain) dB")
            }
            for gain in [Float(-15), 15] {
                #expect(Self.error(.init(.peak, frequency: frequency, gain: gain, q: q), rate: 44_100) < 0.2, "Q \(q), \(gain) dB")
            }
        }
    }

    /// Bands that move in every block are designed approximately; at rest they equal bands that never moved.
    @Test func bandsComeToRestAtTheirBest() {
        var random = SeededRandom(fixed: 11)
        var settings = Equaliser.Settings()
        func jump() {
            settings.band3 = .init(.peak, frequency: random.within(50...18_000), gain: random.within(-15...15), q: 1)
            settings.band4 = .init(.peak, frequency: random.within(50...18_000), gain: random.within(-15...15), q: 0.3)
            settings.band5 = .init(.peak, frequency: random.within(50...18_000), gain: random.within(-15...15), q: 3)
        }
        var moving = Equaliser(rate: 48_000, largestBlock: 64)
        _ = moving.run(.silence(6400)) { _ in
            jump()
            return settings
        }
        _ = moving.run(.silence(48_000), settings)
        var resting = Equaliser(rate: 48_000, largestBlock: 64)
        let impulse = Sound.impulse(4800)
        let (moved, rested) = (moving.run(impulse, settings).left, resting.run(impulse, settings).left)
        for n in 0..<4800 { #expect(abs(moved[n] - rested[n]) < 1e-6) }
    }

    /// A moving band is no louder than its two ends, and after the move it equals a band that never moved.
    @Test func movesAsAFilter() {
        let tone = Sound.tone(1000, 48_000, level: 0.1)
        let (low, high) = (Equaliser.Band(.peak, frequency: 50, gain: 12, q: 4), Equaliser.Band(.peak, frequency: 15_000, gain: 12, q: 4))
        var moving = Equaliser(rate: 48_000, largestBlock: 64)
        let moved = moving.run(tone) { Self.settings($0 < 4800 ? low : high) }.left
        var resting = Equaliser(rate: 48_000, largestBlock: 64)
        let rested = resting.run(tone, Self.settings(high)).left
        // During the move the peak of at most 12 dB passes 1 kHz.
        #expect(moved.allSatisfy { abs($0) < 0.4 })
        #expect(moved[4800..<9600].contains { abs($0) > 0.15 })
        for n in 43_000..<48_000 { #expect(abs(moved[n] - rested[n]) < 1e-6) }
    }

    @Test(arguments: [Float(60), 300, 2000, 6000, 10_000])
    func shelvesAreAnalogue(_ frequency: Float) {
        for shape in [Equaliser.Shape.lowShelf, .highShelf] {
            for gain in [Float(-12), 6, 12] {
                #expect(Self.error(.init(shape, frequency: frequency, gain: gain)) < 0.1, "\(shape), \(gain) dB")
            }
        }
    }

    @Test(arguments: [Float(50), 500, 3000, 8000, 12_000])
    func passesAreAnalogue(_ frequency: Float) {
        #expect(Self.error(.init(.highPass, frequency: frequency)) < 0.1)
        #expect(Self.error(.init(.lowPass, frequency: frequency)) < 0.2)
    }

    /// For any settings a section is stable, and its gain stays within bounds.
    @Test func everySectionIsStable() {
        var random = SeededRandom(fixed: 7)
        for _ in 0..<400 {
            let shape = Equaliser.Shape.allCases.randomElement(using: &random)!
            let band = Equaliser.Band(
                shape, frequency: 20 * powf(1000, random.within(0...1)), gain: random.within(-18...18),
                q: 0.1 * powf(100, random.within(0...1)))
            var equaliser = Equaliser(rate: 48_000, largestBlock: 512)
            let sound = equaliser.run(.impulse(2048), block: 512, Self.settings(band)).left
            #expect(sound.allSatisfy { abs($0) < 60 }, "\(band)")
        }
    }

    @Test func allOffIsBitExact() {
        var equaliser = Equaliser(rate: 48_000, largestBlock: 100)
        var settings = Equaliser.Settings()
        settings.band2.shape = 0
        let noise = Sound.noise(1000)
        let sound = equaliser.run(noise, block: 100, settings)
        #expect(sound.left == noise.left && sound.right == noise.right)
    }

    @Test(arguments: [1, 5, 64, 300])
    func blockSizeHasNoEffect(_ block: Int) {
        var settings = Equaliser.Settings()
        settings.band2.gain = 6
        settings.band4.gain = -9
        settings.band7.gain = 3
        var whole = Equaliser(rate: 48_000, largestBlock: 600)
        var parts = Equaliser(rate: 48_000, largestBlock: 600)
        let noise = Sound.noise(600)
        #expect(whole.run(noise, block: 600, settings).left == parts.run(noise, block: block, settings).left)
    }
}
