import DSP
import Effects
import Foundation
import Testing

/// Modulation effects: flanger, chorus, vibrato and phaser, which modulate a delay or a phase.
@Suite struct ModulationTests {
    /// A response in equal parts with the impulse.
    func joined(_ wet: [Float]) -> [Float] { wet.enumerated().map { 0.5 * ($1 + ($0 == 0 ? 1 : 0)) } }

    @Test func flangerNotchesLieAtHalvesOfTheInverseDelay() {
        var flanger = Flanger(rate: 48_000, largestBlock: 64)
        var settings = Flanger.Settings()
        settings.depth = 0
        settings.delay = 1
        settings.feedback = 0
        let sound = joined(flanger.run(.impulse(4800), settings).left)
        for k in 0..<20 {
            #expect(response(sound, (Double(k) + 0.5) * 1000).decibels < -80)
            #expect(abs(response(sound, Double(k) * 1000).decibels) < 0.01)
        }
        flanger.reset()
        settings.feedback = -0.5
        let fed = flanger.run(.impulse(9600), settings).left
        for k in 1..<8 { #expect(abs(fed[48 * k] - powf(-0.5, Float(k - 1))) < 2e-5) }
    }

    /// With a slow sweep, the notches follow the theoretical delay at each moment.
    @Test func flangerSweepIsWhereTheSineIs() {
        var flanger = Flanger(rate: 48_000, largestBlock: 64)
        var settings = Flanger.Settings()
        settings.rate = 0.5
        settings.depth = 8
        settings.delay = 1
        settings.feedback = 0
        settings.phase = 0
        var input = Sound.silence(96_000)
        for n in stride(from: 0, to: 96_000, by: 4800) { input.left[n] = 1 }
        let output = flanger.run(input, settings).left
        for n in stride(from: 4800, to: 96_000, by: 4800) {
            let near = output[n..<min(n + 4800, 96_000)]
            // Centre of mass of the impulse's response: the delay at that time.
            let mass = near.reduce(0) { $0 + Double($1) }
            let place = near.enumerated().reduce(0) { $0 + Double($1.offset) * Double($1.element) } / mass
            let turn = 2 * Double.pi * 0.5 * (Double(n) + place + 1) / 48_000
            #expect(abs(place - (48 + 192 + 192 * sin(turn))) < 0.6)
        }
    }

    /// Instantaneous frequency of a vibrato tone: deviation as set, rate within 0.1 %.
    @Test(arguments: [(Float(5), Float(50)), (2, 100), (14, 20)])
    func vibratoBendsByCents(_ rate: Float, _ depth: Float) {
        var vibrato = Vibrato(rate: 48_000, largestBlock: 64)
        var settings = Vibrato.Settings()
        settings.rate = rate
        settings.depth = depth
        let frames = 96_000
        let cosine = (0..<frames).map { Float(cos(2 * .pi * 1000 * Double($0) / 48_000)) }
        let sine = (0..<frames).map { Float(sin(2 * .pi * 1000 * Double($0) / 48_000)) }
        let output = vibrato.run(Sound(left: cosine, right: sine), settings)
        var bends = [Double](repeating: 0, count: frames)
        for n in 9600..<frames {
            let now = Complex(Double(output.left[n]), Double(output.right[n]))
            let before = Complex(Double(output.left[n - 1]), Double(output.right[n - 1]))
            let step = (now / before).phase
            bends[n] = 1200 * log2(step / (2 * .pi * 1000 / 48_000))
        }
        #expect(abs(bends.max()! - Double(depth)) < 0.02 * Double(depth) + 0.3)
        #expect(abs(bends.min()! + Double(depth)) < 0.07 * Double(depth) + 0.3)
        let turn = Int(48_000 / rate)
        let span = 2 * turn
        let first = component(bends[10_000..<10_000 + span].map(Float.init)[...], Double(rate))
        let later = 10_000 + (80_000 - span) / turn * turn
        let second = component(bends[later..<later + span].map(Float.init)[...], Double(rate))
        let turned = 2 * Double.pi * Double(later - 10_000) * Double(rate) / 48_000
        var error = second.phase - first.phase - turned
        error -= (error / (2 * .pi)).rounded() * 2 * .pi
        #expect(abs(error) / turned < 1e-3)
    }

    @Test func chorusVoicesAreWhereTheyShouldBe() {
        var chorus = Chorus(rate: 48_000, largestBlock: 64)
        var settings = Chorus.Settings()
        settings.depth = 0
        settings.delay = 10
        settings.voices = 4
        let sound = chorus.run(.impulse(2000), settings)
        for voice in 0..<4 {
            let place = 480 + 48 * voice
            let sum = sound.left[place - 2...place + 2].reduce(0, +)
            #expect(abs(sum - 0.5) < 1e-3)
        }
        #expect(abs(sound.left.reduce(0, +) - 2) < 4e-3)
    }

    /// Difference between the highest and the lowest level of a tone of 15 kHz under modulation, dB. The sides are a cosine and a sine,
    /// so that the level is known at each frame.
    func flutter(_ rate: Float, _ run: (Sound) -> Sound) -> Double {
        let tone = (0..<48_000).map { 2 * Double.pi * 15_000 * Double($0) / Double(rate) }
        let output = run(Sound(left: tone.map { Float(cos($0)) }, right: tone.map { Float(sin($0)) }))
        let levels = (12_000..<48_000).map { decibels(Complex(Double(output.left[$0]), Double(output.right[$0])).magnitude) }
        return levels.max()! - levels.min()!
    }

    @Test(arguments: [Float(44_100), 48_000])
    func highTonesDoNotFlutter(_ rate: Float) {
        #expect(
            flutter(rate) {
                var chorus = Chorus(rate: rate, largestBlock: 64)
                var settings = Chorus.Settings()
                settings.voices = 1
                settings.width = 0
                return chorus.run($0, settings)
            } < 0.5)
        #expect(
            flutter(rate) {
                var flanger = Flanger(rate: rate, largestBlock: 64)
                var settings = Flanger.Settings()
                settings.feedback = 0
                settings.phase = 0
                return flanger.run($0, settings)
            } < 0.5)
        #expect(
            flutter(rate) {
                var vibrato = Vibrato(rate: rate, largestBlock: 64)
                return vibrato.run($0, Vibrato.Settings())
            } < 0.5)
    }

    /// The shortest delay with feedback: echoes at their places and levels, at a delay that is not whole.
    @Test func flangerFeedsBackTheShortestDelay() {
        var flanger = Flanger(rate: 48_000, largestBlock: 64)
        var settings = Flanger.Settings()
        settings.depth = 0
        settings.delay = 0.1
        settings.feedback = 0.5
        let sound = flanger.run(.impulse(4800), settings).left
        // With feedback g, D / (1 - g D) for the delay D of 4.8 samples.
        for frequency in [200.0, 1000, 3000, 6000] {
            let turn = Complex(magnitude: 1, phase: -2 * .pi * frequency * 4.8 / 48_000)
            let expected = turn / (Complex(1) - 0.5 * turn)
            #expect((response(sound, frequency) - expected).magnitude < 5e-3, "\(frequency) Hz")
        }
    }

    @Test(arguments: [Float(0), 0.5, -0.7])
    func phaserNotchIsWhereTwoSectionsTurnByAHalf(_ feedback: Float) {
        var phaser = Phaser(rate: 48_000, largestBlock: 64)
        var settings = Phaser.Settings()
        settings.stages = 2
        settings.depth = 0
        settings.frequency = 1200
        settings.feedback = feedback
        let sound = joined(phaser.run(.impulse(9600), settings).left)
        // One plus the chain: with feedback g, a / (1 - g a) for the allpass a.
        for frequency in [200.0, 800, 1200, 3000, 9000] {
            let c = (tan(Double.pi * 1200 / 48_000) - 1) / (tan(Double.pi * 1200 / 48_000) + 1)
            let z = Complex(magnitude: 1, phase: -2 * .pi * frequency / 48_000)
            let section = (Complex(c) + z) / (Complex(1) + c * z)
            let chain = section * section
            let expected = Complex(0.5) + 0.5 * (chain / (Complex(1) - Double(feedback) * chain))
            #expect((response(sound, frequency) - expected).magnitude < 2e-4)
        }
        if feedback == 0 { #expect(response(sound, 1200).decibels < -70) }
    }
}
