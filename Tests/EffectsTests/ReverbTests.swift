import DSP
import Effects
import Foundation
import Testing

@Suite struct ReverbTests {
    func response(_ change: (inout Reverb.Settings) -> Void, seconds: Double) -> Sound {
        var settings = Reverb.Settings()
        settings.preDelay = 0
        settings.damping = 0
        change(&settings)
        var reverb = Reverb(rate: 48_000, largestBlock: 512)
        return reverb.run(.impulse(Int(48_000 * seconds), right: 0.7), block: 512, settings)
    }

    /// T60 of one octave by Schroeder's backward integration between -5 and -35 dB.
    func decay(_ samples: [Float], octave: Double) -> Double {
        var band = Equaliser(rate: 48_000, largestBlock: 4096)
        var settings = Equaliser.Settings()
        settings.band2 = .init(.off, frequency: 100)
        settings.band1 = .init(.highPass, frequency: Float(octave / 1.41421))
        settings.band8 = .init(.lowPass, frequency: Float(min(octave * 1.41421, 15_000)))
        settings.band3 = settings.band1
        settings.band6 = settings.band8
        settings.band4 = settings.band1
        settings.band5 = settings.band8
        let filtered = band.run(Sound(left: samples), block: 4096, settings).left
        var energy = [Double](repeating: 0, count: samples.count + 1)
        for n in stride(from: samples.count - 1, through: 0, by: -1) {
            energy[n] = energy[n + 1] + Double(filtered[n] * filtered[n])
        }
        let top = energy.firstIndex { $0 < energy[0] * pow(10, -0.5) }!
        let bottom = energy.firstIndex { $0 < energy[0] * pow(10, -3.5) }!
        return 2 * Double(bottom - top) / 48_000
    }

    @Test(arguments: [Float(0.4), 1.5, 3])
    func everyOctaveDecaysInTime(_ seconds: Float) {
        let sound = response({ $0.decay = seconds }, seconds: Double(seconds) * 1.1)
        for octave in [125.0, 250, 500, 1000, 2000, 4000, 8000] {
            let measured = decay(sound.left, octave: octave)
            #expect(abs(measured / Double(seconds) - 1) < 0.1, "\(octave) Hz: \(measured) s")
        }
    }

    /// The shortest decay is not lengthened by what precedes the lines.
    @Test(arguments: [(Float(0.1), Float(0.3)), (0.1, 1), (0.2, 1)])
    func shortDecaysAreShort(_ seconds: Float, _ size: Float) {
        let sound = response(
            {
                $0.decay = seconds; $0.size = size
            }, seconds: 0.6)
        for octave in [500.0, 1000, 2000, 4000] {
            let measured = decay(sound.left, octave: octave)
            #expect(abs(measured / Double(seconds) - 1) < 0.2, "\(octave) Hz: \(measured) s")
        }
    }

    @Test func bandsDecayIndependently() {
        let sound = response(
            {
                $0.decay = 1.5; $0.bass = 1.8; $0.damping = 0.8
            }, seconds: 3)
        #expect(abs(decay(sound.left, octave: 50) / 2.7 - 1) < 0.1)
        #expect(abs(decay(sound.left, octave: 1000) / 1.5 - 1) < 0.1)
        // At 11 kHz the shelf from 5 kHz, with 0.42 s, takes 4.2 of 9.5 dB from a line of 92 ms.
        #expect(abs(decay(sound.left, octave: 11_000) / 0.7 - 1) < 0.1)
    }

    /// Echo density of Abel and Huang (AES 2006): share of samples beyond one standard deviation, relative to that of
    /// Gaussian noise; 1 is full density.
    @Test func echoesAreDense() {
        let sound = response({ $0.decay = 2 }, seconds: 0.6).left
        func density(_ time: Double) -> Double {
            let window = sound[Int(time * 48_000)..<Int(time * 48_000) + 960]
            let deviation = sqrt(window.reduce(0) { $0 + Double($1 * $1) } / 960)
            return Double(window.count { abs(Double($0)) > deviation }) / 960 / 0.3173
        }
        #expect(density(0.15) > 0.8)
        #expect(density(0.3) > 0.9)
    }

    @Test func sidesDifferByWidth() {
        let wide = response({ $0.decay = 1 }, seconds: 1)
        var (both, own) = (0.0, 0.0)
        for n in 4800..<48_000 {
            both += Double(wide.left[n] * wide.right[n])
            own += Double(wide.left[n] * wide.left[n] + wide.right[n] * wide.right[n]) / 2
        }
        #expect(abs(both / own) < 0.2)
        let narrow = response(
            {
                $0.decay = 1; $0.width = 0
            }, seconds: 0.3)
        #expect(narrow.left == narrow.right)
    }

    @Test func longestDecayStaysStable() {
        var reverb = Reverb(rate: 48_000, largestBlock: 512)
        var settings = Reverb.Settings()
        settings.decay = 20
        settings.bass = 2
        settings.damping = 0
        settings.modulation = 1
        let sound = reverb.run(.impulse(96_000), block: 512, settings).left
        let early = sound[24_000..<36_000].reduce(0) { $0 + $1 * $1 }
        let late = sound[84_000...].reduce(0) { $0 + $1 * $1 }
        #expect(late < early && late > 0.2 * early)
    }

    /// The first sound, within 20 dB of the greatest, arrives within 10 ms in a room of any size.
    @Test(arguments: [Float(0.3), 1, 2])
    func firstReflectionComesSoon(_ size: Float) {
        let sound = response({ $0.size = size }, seconds: 0.3)
        for side in [sound.left, sound.right] {
            let top = side.reduce(0) { max($0, abs($1)) }
            let first = side.firstIndex { abs($0) > top / 10 }!
            #expect(first <= 480, "\(Double(first) / 48) ms")
        }
    }

    /// From 20 ms on, the energy follows the decay: the reflections fill the time until the late part is there.
    @Test func earlyPartHasTheShapeOfTheDecay() {
        let sound = response({ $0.decay = 1.2 }, seconds: 0.3)
        var energies = [Double](repeating: 0, count: 10)
        for n in 0..<9600 {
            let (x, y) = (Double(sound.left[n]), Double(sound.right[n]))
            energies[n / 960] += x * x + y * y
        }
        // 60 dB in the decay time: 1 dB in 20 ms.
        let late = (6..<10).map { 10 * log10(energies[$0]) + Double($0) }.reduce(0, +) / 4
        for i in 0..<6 {
            let level = 10 * log10(energies[i]) + Double(i) - late
            #expect(abs(level) < 3, "\(20 * i) ms: \(level) dB beside the late part")
        }
    }

    /// Energy at the middle frequencies of music, whatever the room: the response through a one-pole low-pass of 1 kHz.
    @Test func loudnessIsThatOfAnyRoom() {
        var levels: [Double] = []
        for size in [Float(0.3), 1, 2] {
            for decay in [Float(0.1), 0.4, 1.8, 6] {
                let sound = response(
                    {
                        $0.size = size; $0.decay = decay
                    }, seconds: 0.4 + Double(decay))
                let pole = exp(-2 * Double.pi * 1000 / 48_000)
                var (y, energy) = (0.0, 0.0)
                for x in sound.left {
                    y = (1 - pole) * Double(x) + pole * y
                    energy += y * y
                }
                levels.append(10 * log10(energy))
            }
        }
        #expect(levels.max()! - levels.min()! < 2, "\(levels)")
    }

    /// Small rooms do not ring: their resonances overlap as in noise, whose peakiness is 2.
    @Test(arguments: [(Float(0.3), Float(0.6)), (0.3, 1.8), (0.3, 4), (0.5, 1.8), (1, 4), (2, 6)])
    func tailHasNoResonances(_ size: Float, _ decay: Float) {
        let sound = response(
            {
                $0.size = size; $0.decay = decay
            }, seconds: min(1.3 * Double(decay) + 0.1, 5.4))
        let peakiness = Spectrum(sound.left[4800...], count: 1 << 18).peakiness(200...8000)
        #expect(peakiness < 2.5, "size \(size), \(decay) s: \(peakiness)")
    }

    /// Nor do long decays in any octave, low ones included, where resonances are few.
    @Test(arguments: [(Float(1), Float(4)), (1, 6), (2, 6), (1, 8), (1, 20), (0.3, 4)])
    func noOctaveRings(_ size: Float, _ decay: Float) {
        let sound = response(
            {
                $0.size = size; $0.decay = decay
            }, seconds: 5.4)
        let spectrum = Spectrum(sound.left[4800...], count: 1 << 18)
        for octave in [250.0, 500, 1000, 2000, 4000] {
            let peakiness = spectrum.peakiness(octave / 2.0.squareRoot()...octave * 2.0.squareRoot())
            #expect(peakiness < 2.5, "size \(size), \(decay) s, \(octave) Hz: \(peakiness)")
        }
    }

    /// While size and pre-delay move, nothing above -70 dBFS is heard beside a tone.
    @Test func movingSizeKeepsATonePure() {
        var reverb = Reverb(rate: 48_000, largestBlock: 512)
        let frames = 48_000 * 5
        let output = reverb.run(.tone(1000, frames, level: 0.25), block: 512) { at in
            var settings = Reverb.Settings()
            (settings.modulation, settings.damping, settings.decay) = (0, 0, 1)
            let time = Double(at) / 48_000
            settings.size = time < 2 ? 1 : Float(0.9 + 0.6 * cos(3 * time))
            settings.preDelay = time < 2 ? 15 : Float(60 + 40 * sin(2 * time))
            return settings
        }.left
        #expect(output[96_000...].reduce(0) { max($0, abs($1)) } > 0.02)
        var worst = 0.0
        for at in stride(from: 72_000, to: frames - 16_384, by: 8192) {
            let spectrum = Spectrum(output[at..<at + 16_384], count: 16_384, isWindowed: true)
            for i in 1..<spectrum.power.count where abs(Double(i) * spectrum.step - 1000) > 40 {
                worst = max(worst, spectrum.power[i])
            }
        }
        #expect(10 * log10(worst) < -70, "\(10 * log10(worst)) dBFS")
    }
}
