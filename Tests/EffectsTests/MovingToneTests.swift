import DSP
import Effects
import Foundation
import Testing

/// Tones through effects whose delays or pitch move: beside the band that the tone glides through, and 200 Hz around it, nothing is above
/// -70 dBFS.
@Suite struct MovingToneTests {
    /// A cosine on the left and a sine on the right, whose phase gives the frequency.
    private let tone: Sound = {
        let phases = (0..<72_000).map { 2 * Double.pi * 1000 * Double($0) / 48_000 }
        return Sound(left: phases.map { Float(cos($0)) }, right: phases.map { Float(sin($0)) })
    }()

    private func check(_ sound: Sound) {
        let frequencies = (20_000..<68_000).map { n -> Double in
            let now = Complex(Double(sound.left[n]), Double(sound.right[n]))
            return (now / Complex(Double(sound.left[n - 1]), Double(sound.right[n - 1]))).phase * 48_000 / (2 * .pi)
        }
        let (lowest, highest) = (frequencies.min()! - 200, frequencies.max()! + 200)
        #expect(lowest > 100 && highest < 2000 && highest - lowest > 402, "\(lowest)...\(highest) Hz")
        let loudest = DelayTests().beside(sound.left, lowest...highest, frames: 22_000..<66_000)
        #expect(decibels(loudest) < -70, "\(decibels(loudest)) dBFS beside \(lowest)...\(highest) Hz")
    }

    @Test(arguments: [(Float(12), Float(13)), (5, 40), (40, 5)])
    func aChorusKeepsATonePure(_ from: Float, _ to: Float) {
        var chorus = Chorus(rate: 48_000, largestBlock: 64)
        check(
            chorus.run(tone) { frame in
                var settings = Chorus.Settings()
                (settings.voices, settings.depth, settings.width) = (1, 0, 0)
                settings.delay = frame < 24_000 ? from : to
                return settings
            })
    }

    @Test(arguments: [(Float(0.5), Float(1)), (0.1, 5), (5, 0.1)])
    func aFlangerKeepsATonePure(_ from: Float, _ to: Float) {
        var flanger = Flanger(rate: 48_000, largestBlock: 64)
        check(
            flanger.run(tone) { frame in
                var settings = Flanger.Settings()
                (settings.depth, settings.feedback, settings.phase) = (0, 0, 0)
                settings.delay = frame < 24_000 ? from : to
                return settings
            })
    }

    @Test(arguments: [(Float(1), Float(4)), (10, 0), (0, 10)])
    func aDepthThatMovesKeepsATonePure(_ from: Float, _ to: Float) {
        var flanger = Flanger(rate: 48_000, largestBlock: 64)
        check(
            flanger.run(tone) { frame in
                var settings = Flanger.Settings()
                (settings.rate, settings.delay, settings.feedback, settings.phase) = (0.1, 1, 0, 0)
                settings.depth = frame < 24_000 ? from : to
                return settings
            })
    }

    /// The band is that between the two pitches. The long frame of the highest quality leaves up to -69 dBFS.
    @Test(arguments: [Float(0), 1, 2], [(Float(0), Float(2)), (5, -5), (0.5, 0.6)])
    func aPitchThatMovesKeepsATonePure(_ quality: Float, _ move: (from: Float, to: Float)) {
        let (from, to) = move
        var settings = PitchShift.Settings()
        settings.quality = quality
        var shifter = PitchShift(rate: 48_000, largestBlock: 64, settings: settings, response: nil)
        let sound = shifter.run(tone) { frame in
            settings.semitones = frame < 24_000 ? from : to
            return settings
        }
        let lowest = 1000 * exp2(Double(min(from, to)) / 12) - 200
        let highest = 1000 * exp2(Double(max(from, to)) / 12) + 200
        let loudest = DelayTests().beside(sound.left, lowest...highest, frames: 16_000..<66_000)
        #expect(decibels(loudest) < (quality == 2 ? -69 : -70), "\(decibels(loudest)) dBFS beside \(lowest)...\(highest) Hz")
    }
}
