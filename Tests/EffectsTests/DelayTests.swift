import DSP
import Effects
import Foundation
import Testing

@Suite struct DelayTests {
    func settings(_ change: (inout Delay.Settings) -> Void) -> Delay.Settings {
        var settings = Delay.Settings()
        settings.mix = 1
        settings.tone = 20_000
        settings.feedback = 0.5
        change(&settings)
        return settings
    }

    /// Positions and values of all samples that are not zero.
    func taps(_ samples: [Float]) -> [Int: Float] {
        Dictionary(uniqueKeysWithValues: samples.enumerated().filter { abs($1) > 1e-6 }.map { ($0, $1) })
    }

    @Test(arguments: [1, 17, 64, 100, 512])
    func finiteEchoesAreAtTheirTimes(_ block: Int) {
        var delay = Delay(rate: 48_000, largestBlock: 512)
        let sound = delay.run(
            .impulse(4000), block: block,
            settings {
                $0.time = 10; $0.repeats = 6
            })
        #expect(taps(sound.left) == [480: 1, 960: 0.5, 1440: 0.25, 1920: 0.125, 2400: 0.0625, 2880: 0.03125])
        #expect(sound.left == sound.right)
    }

    @Test func endlessEchoesAreAtTheirTimes() {
        var delay = Delay(rate: 48_000, largestBlock: 64)
        let sound = delay.run(
            .impulse(1000, right: 0),
            settings {
                $0.time = 1; $0.feedback = 0.95
            })
        var level: Float = 1
        for k in 1...20 {
            #expect(abs(sound.left[48 * k] - level) < 1e-5)
            level *= 0.95
        }
        #expect(taps(sound.right).isEmpty)
    }

    @Test func pingPongAlternates() {
        var delay = Delay(rate: 48_000, largestBlock: 64)
        let endless = delay.run(
            .impulse(2500),
            settings {
                $0.time = 10; $0.pingPong = 1
            })
        #expect(taps(endless.left) == [480: 1, 1440: 0.25, 2400: 0.0625])
        #expect(taps(endless.right) == [960: 0.5, 1920: 0.125])
        delay.reset()
        let finite = delay.run(
            .impulse(2500),
            settings {
                $0.time = 10; $0.pingPong = 1; $0.repeats = 4
            })
        #expect(taps(finite.left) == [480: 1, 1440: 0.25])
        #expect(taps(finite.right) == [960: 0.5, 1920: 0.125])
    }

    @Test func toneLosesThreeDecibelsEachTime() {
        var delay = Delay(rate: 48_000, largestBlock: 64)
        let sound = delay.run(
            .impulse(14_400),
            settings {
                $0.time = 100; $0.tone = 2000; $0.feedback = 0.5
            })
        let first = response(Array(sound.left[4800..<9600]), 2000).decibels
        let second = response(Array(sound.left[9600..<14_400]), 2000).decibels
        #expect(abs(first + 3.01) < 0.02)
        #expect(abs(second + 6.02 + 6.02) < 0.04)
    }

    /// The change from 100 to 103 ms shifts the pitch and ends at the exact sample.
    @Test func delayTimeIsSmoothed() {
        var delay = Delay(rate: 48_000, largestBlock: 64)
        let sound = delay.run(.tone(500, 48_000)) { frame in
            settings {
                $0.time = frame < 12_000 ? 100 : 103; $0.feedback = 0
            }
        }
        for n in 5000..<48_000 { #expect(abs(sound.left[n] - sound.left[n - 1]) < 0.1) }
        for n in 40_000..<40_100 {
            #expect(abs(Double(sound.left[n]) - sin(2 * .pi * 500 * Double(n - 4944) / 48_000)) < 1e-4)
        }
    }
}
