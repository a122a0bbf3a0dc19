import DSP
import Effects
import Foundation
import Rack
import RackCore
import Testing

@Suite struct OverdriveTests {
    func settings(_ curve: Overdrive.Curve, _ change: (inout Overdrive.Settings) -> Void = { _ in }) -> Overdrive.Settings {
        var settings = Overdrive.Settings()
        settings.curve = Float(curve.rawValue)
        settings.tone = 20_000
        settings.level = 0
        change(&settings)
        return settings
    }

    /// Aliases of a full-scale tone of 5 kHz, before the curve: everything but its harmonics, relative to the tone.
    @Test(arguments: Overdrive.Curve.allCases)
    func aliasesAreBelowMinus80(_ curve: Overdrive.Curve) {
        var overdrive = Overdrive(rate: 48_000, largestBlock: 512)
        // 500 Hz steps: aliases of multiples of 5 kHz fall on multiples of 1 kHz.
        let sound = overdrive.run(.tone(5000, 24_000), block: 512, settings(curve)).left[9600...]
        let tone = amplitude(sound, 5000)
        for frequency in stride(from: 1000.0, through: 20_000, by: 1000) where frequency.truncatingRemainder(dividingBy: 5000) != 0 {
            let level = decibels(amplitude(sound, frequency) / tone)
            #expect(level < -80, "\(curve) at \(frequency) Hz: \(level) dB")
        }
    }

    /// Aliases at the highest drive: everything between the harmonics up to half the rate, relative to the tone.
    ///
    /// A sine of a hundred times full scale has harmonics up to the hundredth: those of tones above 2.4 kHz are beyond half of the
    /// twelvefold rate.
    @Test(arguments: [Overdrive.Curve.soft, .tube, .fold], [44_100.0, 48_000, 96_000])
    func aliasesAtFullDriveAreBelowMinus70(_ curve: Overdrive.Curve, _ rate: Double) {
        let frequencies = rate == 48_000 ? [503.1, 1203.7, 2207.9, 4001.3, 4999.1] : [1203.7, 4999.1]
        for frequency in curve == .fold ? frequencies.filter({ $0 < 2400 }) : frequencies {
            var overdrive = Overdrive(rate: Float(rate), largestBlock: 512)
            let input = Sound.tone(frequency, 40_000, rate: rate)
            let sound = overdrive.run(input, block: 512, settings(curve) { $0.drive = 40 }).left[7232...]
            let spectrum = Spectrum(sound, count: 32_768, isWindowed: true, rate: rate)
            let tone = spectrum.power.max()!
            var worst = (level: -200.0, frequency: 0.0)
            for (bin, power) in spectrum.power.enumerated() {
                let place = Double(bin) * spectrum.step
                let distance = abs(place - (place / frequency).rounded() * frequency)
                guard distance > 8 * spectrum.step else { continue }
                let level = 10 * log10(power / tone)
                if level > worst.level { worst = (level, place) }
            }
            #expect(worst.level < -70, "\(curve), \(frequency) Hz at \(rate) Hz: \(worst.level) dB at \(worst.frequency) Hz")
        }
    }

    /// Harmonics at the highest drive up to 8 kHz, by numerical integration over the curve.
    @Test func averagingKeepsTheHarmonics() {
        var overdrive = Overdrive(rate: 48_000, largestBlock: 512)
        let sound = overdrive.run(.tone(500, 24_000), block: 512, settings(.soft) { $0.drive = 40 }).left[9600...]
        for order in stride(from: 1, through: 15, by: 2) {
            var sum = 0.0
            for n in 0..<65_536 {
                let phase = 2 * Double.pi * (Double(n) + 0.5) / 65_536
                sum += tanh(100 * sin(phase)) * sin(Double(order) * phase) / 32_768
            }
            let measured = decibels(amplitude(sound, 500 * Double(order)) / abs(sum))
            #expect(abs(measured) < 0.2, "harmonic \(order): \(measured) dB")
        }
    }

    /// Loudness that follows the input's: 12 dB between two inputs remain 12 dB, where a saturated curve leaves nothing of them.
    @Test(arguments: [Float(0), 0.5, 1])
    func theOutputKeepsAShareOfTheLevel(_ share: Float) {
        let levels = [0.05, 0.2].map { (level: Double) -> Double in
            var overdrive = Overdrive(rate: 48_000, largestBlock: 512)
            let driven = settings(.hard) { ($0.drive, $0.follow) = (40, share) }
            let sound = overdrive.run(.tone(500, 48_000, level: level), block: 512, driven)
            return amplitude(sound.left[24_000...], 500)
        }
        let difference = decibels(levels[1] / levels[0])
        #expect(abs(difference - 12.04 * Double(share)) < 0.4, "\(difference) dB")
    }

    @Test func harmonicsAreThoseOfTheCurve() {
        var overdrive = Overdrive(rate: 48_000, largestBlock: 512)
        let sound = overdrive.run(.tone(250, 24_000), block: 512, settings(.soft)).left[9600...]
        let drive = pow(10, 12.0 / 20)
        var odd = [Double](repeating: 0, count: 4)
        for n in 0..<4096 {
            let phase = 2 * Double.pi * (Double(n) + 0.5) / 4096
            for k in 0..<4 { odd[k] += tanh(drive * sin(phase)) * sin(Double(2 * k + 1) * phase) / 2048 }
        }
        for k in 0..<4 { #expect(abs(amplitude(sound, 250 * Double(2 * k + 1)) - abs(odd[k])) < 1e-3) }
        #expect(amplitude(sound, 500) < 1e-4)
        overdrive.reset()
        let tube = overdrive.run(.tone(250, 24_000), block: 512, settings(.tube)).left[9600...]
        #expect(amplitude(tube, 500) > 0.03)
    }

    /// Quiet sound passes unchanged at the declared latency, in any proportion with the dry sound.
    @Test(arguments: Overdrive.Curve.allCases)
    func quietSoundPasses(_ curve: Overdrive.Curve) {
        for mix in [Float(0), 0.5, 1] {
            var description = RackDescription.Slot(.overdrive)
            description.values = settings(curve) { $0.drive = 0 }.row
            description.mix = mix
            var slot = RackSlot(description, rate: 48_000, largestBlock: 100)
            let input = Sound.tone(3000, 4800, level: 0.001)
            let sound = slot.run(input, block: 100).left
            let late = slot.latency
            let worst = (3000..<4800).reduce(Float(0)) { max($0, abs(sound[$1] - input.left[$1 - late])) }
            // Averaging over a step delays by half of a quarter of a sample: 0.05 of this tone.
            #expect(worst < (curve == .hard ? 5.5e-5 : 3e-5) && worst < 6e-5)
        }
    }
}
