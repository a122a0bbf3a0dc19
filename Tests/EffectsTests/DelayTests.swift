import DSP
import Effects
import Foundation
import Testing

@Suite struct DelayTests {
    func settings(_ change: (inout Delay.Settings) -> Void) -> Delay.Settings {
        var settings = Delay.Settings()
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
        for n in 47_000..<47_100 {
            #expect(abs(Double(sound.left[n]) - sin(2 * .pi * 500 * Double(n - 4944) / 48_000)) < 1e-4)
        }
    }

    /// A change of the time bends a tone of 1 kHz at 0 dBFS; beside the band that it bends through and 200 Hz around it, there is
    /// nothing above -70 dBFS. The band is measured: the sides are a cosine and a sine, whose phase gives the frequency.
    @Test(arguments: [(Float(100), Float(103)), (100, 150), (150, 100), (300, 20)])
    func aGlidingToneIsAlone(_ from: Float, _ to: Float) {
        var delay = Delay(rate: 48_000, largestBlock: 64)
        let tone = (0..<60_000).map { 2 * Double.pi * 1000 * Double($0) / 48_000 }
        let sound = delay.run(Sound(left: tone.map { Float(cos($0)) }, right: tone.map { Float(sin($0)) })) { frame in
            settings {
                $0.time = frame < 24_000 ? from : to; $0.feedback = 0
            }
        }
        let frequencies = (20_000..<58_000).map { n -> Double in
            let now = Complex(Double(sound.left[n]), Double(sound.right[n]))
            return (now / Complex(Double(sound.left[n - 1]), Double(sound.right[n - 1]))).phase * 48_000 / (2 * .pi)
        }
        let (lowest, highest) = (frequencies.min()! - 200, frequencies.max()! + 200)
        #expect(lowest > 100 && highest < 2000 && highest - lowest > 415)
        let loudest = beside(sound.left, lowest...highest, frames: 22_000..<56_000)
        #expect(decibels(loudest) < -70, "\(decibels(loudest)) dBFS beside \(lowest)...\(highest) Hz")
    }

    /// Peak of what lies outside a band, by a linear-phase filter with Kaiser's window, on every seventh frame.
    func beside(_ samples: [Float], _ band: ClosedRange<Double>, frames: Range<Int>) -> Double {
        let half = 900
        let filter = (-half...half).map { n -> Double in
            func low(_ frequency: Double) -> Double {
                let x = 2 * frequency / 48_000
                return n == 0 ? x : sin(.pi * x * Double(n)) / (.pi * Double(n))
            }
            let place = Double(n) / Double(half)
            let window = Self.bessel(10 * (1 - place * place).squareRoot()) / Self.bessel(10)
            return (n == 0 ? 1 : 0) - window * (low(band.upperBound) - low(band.lowerBound))
        }
        return samples.withUnsafeBufferPointer { samples in
            filter.withUnsafeBufferPointer { filter in
                stride(from: frames.lowerBound, to: frames.upperBound, by: 7).reduce(0.0) { largest, n in
                    var sum = 0.0
                    for k in 0...2 * half { sum += Double(samples[n + k - half]) * filter[k] }
                    return max(largest, abs(sum))
                }
            }
        }
    }

    /// The modified Bessel function of the first kind and order zero.
    static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for k in 1...40 {
            term *= x * x / Double(4 * k * k)
            sum += term
        }
        return sum
    }
}
