import DSP
import Foundation
import TestSupport
import Testing

@Suite struct PitchFinderTests {
    /// A tone with overtones that fall as 1/n, like those of a string.
    static func string(_ frequency: Double, _ count: Int, overtones: Int = 12, rate: Double = 48_000) -> [Float] {
        (0..<count).map { frame in
            (1...overtones).reduce(Float(0)) { sum, n in
                let hertz = frequency * Double(n)
                guard hertz < rate / 2 else { return sum }
                return sum + Float(0.2 / Double(n) * sin(2 * .pi * hertz * Double(frame) / rate + Double(n * n)))
            }
        }
    }

    static func cents(_ one: Float, _ other: Double) -> Double { 1200 * log2(Double(one) / other) }

    /// From the lowest note of a bass to the highest of a guitar.
    @Test(arguments: [41.2, 55, 82.41, 110, 146.83, 196, 246.94, 329.63, 440, 659.26, 1318.5])
    func notesAreFoundWithinACent(_ frequency: Double) throws {
        var finder = PitchFinder(rate: 48_000)
        for detune in [-0.3, 0, 0.2] {
            let wanted = frequency * pow(2, detune / 12)
            let string = finder.find(Self.string(wanted, finder.window))
            #expect(try abs(Self.cents(#require(string), wanted)) < 1, "\(frequency)")
            let sine = finder.find(Self.string(wanted, finder.window, overtones: 1))
            #expect(try abs(Self.cents(#require(sine), wanted)) < 2, "\(frequency)")
        }
    }

    @Test func noiseAndSilenceHaveNoPitch() {
        var random = SeededRandom()
        var finder = PitchFinder(rate: 48_000)
        let noise = (0..<finder.window).map { _ in Float(random.white()) }
        let (inNoise, inSilence) = (finder.find(noise), finder.find(.init(repeating: 0, count: finder.window)))
        #expect(inNoise == nil)
        #expect(inSilence == nil)
        let quiet = finder.find(Self.string(220, finder.window).map { $0 * 1e-4 })
        #expect(quiet == nil)
    }
}
