import DSP
import Effects
import Foundation
import TestSupport
import Testing

@Suite struct DynamicsTests {
    /// Output level by theory (Giannoulis et al. 2012, equation 4).
    func curve(_ level: Double, _ settings: Compressor.Settings) -> Double {
        let over = level - Double(settings.threshold)
        let (knee, slope) = (Double(settings.knee), 1 / Double(settings.ratio) - 1)
        if 2 * over < -knee { return level }
        if knee > 0, 2 * abs(over) <= knee { return level + slope * (over + knee / 2) * (over + knee / 2) / (2 * knee) }
        return level + slope * over
    }

    @Test(arguments: [(Float(4), Float(6)), (2, 0), (20, 12)])
    func compressorCurveIsStatic(_ ratio: Float, _ knee: Float) {
        var settings = Compressor.Settings()
        settings.threshold = -24
        settings.ratio = ratio
        settings.knee = knee
        settings.attack = 5
        settings.release = 500
        for level in stride(from: -40.0, through: 0, by: 4) {
            var compressor = Compressor(rate: 48_000, largestBlock: 512)
            let sound = compressor.run(.tone(1000, 24_000, level: pow(10, level / 20)), block: 512, settings)
            let measured = decibels(amplitude(sound.left[14_400...], 1000))
            #expect(abs(measured - curve(level, settings)) < 0.1, "\(level) dB")
            #expect(abs(Double(compressor.reduction) - (level - curve(level, settings))) < 0.1)
        }
    }

    /// The reduction reaches 63 % within the attack time and falls by 63 % within the release time, whatever the other time is.
    @Test(arguments: [(Float(20), Float(200)), (1, 50), (100, 50)])
    func compressorTimes(_ attackTime: Float, _ releaseTime: Float) {
        var settings = Compressor.Settings()
        settings.threshold = -40
        settings.ratio = 4
        settings.knee = 0
        settings.attack = attackTime
        settings.release = releaseTime
        var compressor = Compressor(rate: 48_000, largestBlock: 16)
        var reductions: [Float] = []
        let input = Sound(left: (0..<96_000).map { $0 < 48_000 ? 1 : 0.001 })
        for at in stride(from: 0, to: 96_000, by: 16) {
            _ = compressor.run(Sound(left: Array(input.left[at..<at + 16])), block: 16, settings)
            reductions.append(compressor.reduction)
        }
        let full: Float = 30
        let attack = reductions.firstIndex { $0 > 0.632 * full }!
        #expect(abs(Double(attack * 16) / 48 - Double(attackTime)) < 1)
        let release = reductions[3000...].firstIndex { $0 < 0.368 * full }! - 3000
        #expect(abs(Double(release * 16) / 48 - Double(releaseTime)) < 1)
    }

    @Test func sideChainHearsLessBass() {
        var settings = Compressor.Settings()
        settings.threshold = -30
        settings.ratio = 20
        settings.knee = 0
        settings.release = 500
        settings.sideChain = 200
        func reduction(_ frequency: Double) -> Float {
            var compressor = Compressor(rate: 48_000, largestBlock: 512)
            _ = compressor.run(.tone(frequency, 24_000), block: 512, settings)
            return compressor.reduction / 0.95
        }
        #expect(abs(reduction(2000) - 30) < 0.3)
        #expect(abs(reduction(200) - 27) < 0.3)
        #expect(abs(reduction(50) - 12.4) < 0.5)
    }

    @Test func gateOpensHoldsAndCloses() {
        var gate = Gate(rate: 48_000, largestBlock: 64)
        var settings = Gate.Settings()
        settings.threshold = -30
        settings.range = -60
        settings.hold = 20
        settings.release = 10
        var input = Sound.tone(1000, 48_000, level: 0.001)
        for n in 9600..<19_200 { input.left[n] *= 500 }
        input.right = input.left
        let output = gate.run(input, settings)
        let ratio = { (n: Int) in decibels(amplitude(output.left[n..<n + 960], 1000) / amplitude(input.left[n..<n + 960], 1000)) }
        #expect(abs(ratio(4800) + 60) < 0.5)
        #expect(abs(ratio(12_000)) < 0.01)
        // 20 ms of hold, then 10 ms for each 8.7 dB.
        #expect(abs(ratio(19_200)) < 0.01)
        #expect(ratio(19_200 + 960 + 2400) < -40)
        #expect(ratio(19_200 + 9600) < -55)
    }

    /// Without a hold time, the gate begins to close within 12.5 ms after loud sound of any level, and not between the peaks of a low
    /// tone before.
    @Test(arguments: [Float(-20), 0])
    func gateWithoutAHoldTimeClosesAtOnce(_ level: Float) {
        var gate = Gate(rate: 48_000, largestBlock: 64)
        var settings = Gate.Settings()
        settings.threshold = -30
        settings.hold = 0
        settings.release = 5
        settings.range = -90
        let loud = Double(powf(10, level / 20))
        let input = Sound(left: (0..<24_000).map { Float((($0 < 12_000) ? loud : 0.001) * cos(2 * .pi * 50 * Double($0) / 48_000)) })
        let output = gate.run(input, settings)
        let gains = input.left.indices.map { output.left[$0] / input.left[$0] }
        #expect(gains[4800..<12_000].allSatisfy { abs($0 - 1) < 1e-3 })
        // After the bridge, 5 ms for each factor of e.
        let end = 12_000 + 600
        for n in stride(from: end + 100, to: end + 1200, by: 50) {
            let expected = exp(-Double(n - end) / 240)
            #expect(Double(gains[n]) < expected * 1.1 && Double(gains[n]) > expected * 0.3, "\(n - end) frames later")
        }
    }

    /// Peak between samples, by interpolation to sixteen times the rate with a long sinc.
    func truePeak(_ samples: [Float]) -> Double {
        var largest = 0.0
        for n in stride(from: 64, to: samples.count - 64, by: 1) where abs(samples[n]) > 0.5 {
            for phase in 0..<16 {
                var sum = 0.0
                for tap in -48...48 {
                    let x = Double(tap) - Double(phase) / 16
                    let window = 0.5 + 0.5 * cos(.pi * x / 49)
                    sum += Double(samples[n + tap]) * (x == 0 ? 1 : sin(.pi * x) / (.pi * x)) * window
                }
                largest = max(largest, abs(sum))
            }
        }
        return largest
    }

    @Test func limiterKeepsTheTruePeak() {
        var settings = Limiter.Settings()
        settings.ceiling = -3
        let ceiling = pow(10, -3.0 / 20)
        // A quarter of the rate at 45 degrees: samples at 0.707, with peaks at 1 between them.
        let between = Sound(left: (0..<4000).map { Float(2 * sin(.pi / 2 * Double($0) + .pi / 4)) })
        var noise = Sound.noise(4000, level: 4)
        for n in 0..<2000 { noise.left[n] *= 0.05 }
        var gauss = Sound.noise(8000, level: 1.5)
        for seed in 2...6 as ClosedRange<UInt64> {
            let more = Sound.noise(8000, level: 1.5, seed: seed)
            for n in 0..<8000 { gauss.left[n] += more.left[n] }
        }
        // White noise has as much energy near half the rate, where peaks lie between samples, as elsewhere.
        for (input, tolerance) in [(between, 0.1), (noise, 0.1), (gauss, 0.1), (.tone(997, 4000, level: 8), 0.02)] {
            var limiter = Limiter(rate: 48_000, largestBlock: 100)
            let output = limiter.run(input, block: 100, settings)
            #expect(output.left.allSatisfy { abs($0) <= Float(ceiling) * 1.0001 })
            #expect(decibels(truePeak(output.left)) < -3 + tolerance)
            #expect(limiter.reduction > 3)
        }
    }

    enum WhiteNoise: CaseIterable {
        case even, quiet, near, normal, binary

        func sample(_ random: inout SeededRandom) -> Float {
            switch self {
            case .even: 2 * Float(random.white())
            case .quiet: Float(random.white())
            // Samples below the ceiling, and peaks between them about as high.
            case .near: 0.5 * Float(random.white())
            case .normal: 0.5 * (0..<6).reduce(0) { sum, _ in sum + Float(random.white()) }
            case .binary: random.white() < 0 ? -1 : 1
            }
        }
    }

    /// White noise has as much energy just below half the rate as elsewhere, where peaks depend on samples far away.
    @Test(arguments: WhiteNoise.allCases, [1, 2, 3, 4] as [UInt64])
    func limiterKeepsTheTruePeakOfWhiteNoise(_ noise: WhiteNoise, _ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let input = Sound(left: (0..<32_000).map { _ in noise.sample(&random) })
        var limiter = Limiter(rate: 48_000, largestBlock: 100)
        let output = limiter.run(input, block: 100, Limiter.Settings())
        let over = decibels(Spectrum.truePeak(output.left)) + 1
        #expect(over < 0.2, "\(over) dB over the ceiling")
        #expect(over > -1.5, "\(over) dB: quieter than it needs to be")
    }

    /// A tone 0.17 dB over the ceiling is reduced by that much at any phase of its samples, and a tone as far below it
    /// is not reduced, both within the declared 0.1 dB.
    @Test func everyToneOverTheCeilingIsFound() {
        var random = SeededRandom()
        var settings = Limiter.Settings()
        settings.ceiling = -6
        let ceiling = pow(10, -6.0 / 20)
        for _ in 0..<60 {
            let frequency = random.within(20...20_000) as Double
            let phase = random.within(0...6.28) as Double
            for (share, expected) in [(1.02, Float(0.172)), (0.98, 0)] {
                // Faded in, because an edge has peaks of its own.
                let input = Sound(
                    left: (0..<9600).map { n in
                        let fade = 0.5 - 0.5 * cos(.pi * min(1, Double(n) / 2400))
                        return Float(share * ceiling * fade * sin(2 * .pi * frequency * Double(n) / 48_000 + phase))
                    })
                var limiter = Limiter(rate: 48_000, largestBlock: 480)
                _ = limiter.run(input, block: 480, settings)
                #expect(abs(limiter.reduction - expected) < 0.1, "\(frequency) Hz, \(share)")
            }
        }
    }

    @Test(arguments: [44_100, 96_000, 192_000] as [Float])
    func limiterIsTransparentBelowAndLateAsDeclared(_ rate: Float) {
        var limiter = Limiter(rate: rate, largestBlock: 64)
        let input = Sound.noise(2000, level: 0.4, seed: 2)
        let output = limiter.run(input, Limiter.Settings())
        let late = limiter.latency
        for n in late..<2000 { #expect(output.left[n] == input.left[n - late] && output.right[n] == input.right[n - late]) }
    }

    /// Harmonics of a low tone under 6 dB of reduction, after the reduction has settled: below 0.5 % together.
    @Test(arguments: [40.0, 50, 82.5])
    func limiterKeepsLowTonesClean(_ frequency: Double) {
        var limiter = Limiter(rate: 48_000, largestBlock: 64)
        var settings = Limiter.Settings()
        settings.ceiling = -6
        let sound = limiter.run(.tone(frequency, 96_000), settings).left[48_000...]
        let tone = amplitude(sound, frequency)
        let harmonics = (2...20).map { amplitude(sound, frequency * Double($0)) }.reduce(0) { $0 + $1 * $1 }.squareRoot()
        #expect(abs(decibels(tone) + 6) < 0.1)
        #expect(harmonics / tone < 0.005, "\(100 * harmonics / tone) %")
    }

    @Test func limiterRecoversFromNaN() {
        var limiter = Limiter(rate: 48_000, largestBlock: 64)
        var input = Sound.noise(1000, level: 0.1)
        input.left[100] = .nan
        input.right[200] = .infinity
        input.left[300] = -3e38
        let output = limiter.run(input, Limiter.Settings())
        #expect(output.left.allSatisfy { abs($0) <= 0.9 } && output.right.allSatisfy { abs($0) <= 0.9 })
    }
}
