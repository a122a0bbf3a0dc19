import DSP
import Effects
import Foundation
import Testing

@Suite struct TremoloTests {
    /// Rate from the phase of the gain's fundamental at two distant times, exact to far better than 0.1 %.
    @Test(arguments: [0.5, 5.3, 100])
    func rateIsExact(_ rate: Float) {
        var tremolo = Tremolo(rate: 48_000, largestBlock: 512)
        var settings = Tremolo.Settings()
        settings.rate = rate
        settings.depth = 1
        let frames = Int(48_000 * 8 / Double(rate))
        let gain = tremolo.run(Sound(left: [Float](repeating: 1, count: 2 * frames)), block: 512, settings).left
        let first = component(gain[..<frames], Double(rate))
        let second = component(gain[frames...], Double(rate))
        let turned = 2 * Double.pi * Double(frames) * Double(rate) / 48_000
        var error = second.phase - first.phase - turned
        error -= (error / (2 * .pi)).rounded() * 2 * .pi
        #expect(abs(error) / turned < 1e-4)
        #expect(abs(first.magnitude - 0.5) < 1e-3)
    }

    @Test func depthAndPhase() {
        var tremolo = Tremolo(rate: 48_000, largestBlock: 64)
        var settings = Tremolo.Settings()
        settings.rate = 10
        settings.depth = 0.6
        settings.phase = 180
        let sound = tremolo.run(Sound(left: [Float](repeating: 1, count: 9600)), settings)
        #expect(abs(sound.left.min()! - 0.4) < 1e-4 && abs(sound.left.max()! - 1) < 1e-4)
        for n in 0..<9600 { #expect(abs(sound.left[n] + sound.right[n] - 1.4) < 1e-4) }
    }

    @Test func shapeTurnsTheSineIntoASquare() {
        func thirdHarmonic(_ shape: Float) -> Double {
            var tremolo = Tremolo(rate: 48_000, largestBlock: 64)
            var settings = Tremolo.Settings()
            settings.rate = 10
            settings.depth = 1
            settings.shape = shape
            let gain = tremolo.run(Sound(left: [Float](repeating: 1, count: 48_000)), settings).left
            return amplitude(gain[...], 30) / amplitude(gain[...], 10)
        }
        #expect(thirdHarmonic(0) < 1e-4)
        #expect(abs(thirdHarmonic(1) - 1 / 3) < 0.02)
    }
}
