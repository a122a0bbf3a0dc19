import Binaural
import Crossing
import DSP
import Foundation
import TestSupport
import Testing

@testable import Device
@testable import Render

/// A live array and a renderer with clocks of their own, in simulated time.
@Suite struct ArrayBridgeTests {
    static let rate = 48_000
    static let period = 64
    static let channels = 4

    /// Sound that the renderer received, and its latencies.
    struct Outcome {
        /// The first channel, as much as was asked for.
        var windows: [[Float]] = []
        /// Interruptions after the first block that was read.
        var interruptions = 0
        /// Time from converter to the first frame of a block, seconds: of the last half.
        var latencies: ClosedRange<Double> = .infinity...(.infinity)
        var ratio = 0.0
        var target = 0.0
        var blocks = 0
    }

    /// A period of 1 kHz.
    static let tone: [Float] = (0..<48).map { Float(0.5 * sin(2 * Double.pi * Double($0) / 48)) }

    /// Runs an array whose clock is `drift` (1e-6 is 1 ppm) faster, with a tone of 1 kHz by its own clock.
    ///
    /// - Parameters:
    ///   - jitter: by how much the threads are late at most, seconds.
    ///   - every: a window of `window` frames is kept from every `every` seconds on.
    static func run(
        drift: Double, seconds: Double, jitter: Double = 0, resamples: Bool = true, window: Int = 9600, every: Double = 1
    ) -> Outcome {
        let ring = FrameRing(channels: channels, capacity: 16_384)
        let stamps = Latest(LiveStamp(frame: 0, time: 0))
        let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
        var bridge = ArrayBridge(
            ArrayLine(frames: ring.producer, stamps: stamps.writer, readings: readings.reader), period: period, rate: rate,
            resamples: resamples)
        var feed = SceneFeed(
            frames: ring.consumer, array: .uniform(count: channels), number: -1,
            live: LiveFeed(reserve: bridge.reserve, stamps: stamps.reader, readings: readings.writer))
        // Three blocks are 192 frames, four periods of the tone.
        let tone = tone
        let blocks: [[Float]] = (0..<3).map { block in
            (0..<period).flatMap { frame -> [Float] in [Float](repeating: tone[(block * period + frame) % 48], count: channels) }
        }
        var outcome = Outcome(target: bridge.target)
        var memory = [Float](repeating: 0, count: period * channels)
        var random = SeededRandom()
        func late() -> Double { jitter == 0 ? 0 : Double.random(in: 0...jitter, using: &random) }
        func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(clamping: Int64((1_000_000_000 + 1e9 * seconds).rounded())) }
        let (writing, reading) = (Double(period) / Double(rate) / (1 + drift), Double(period) / Double(rate))
        var (written, read) = (0, 0)
        var (nextWrite, nextRead) = (writing + late(), 0.0004 + late())
        var hasBegun = false
        var kept: [Float] = []
        var (least, most) = (Double.infinity, -Double.infinity)
        while nextRead < seconds {
            if nextWrite <= nextRead {
                bridge.write(blocks[written % 3], frames: period, until: nanoseconds(Double(written + 1) * writing))
                written += 1
                nextWrite = max(nextWrite, Double(written + 1) * writing + late())
                continue
            }
            let begin = nextRead
            if feed.waits(for: period, isSilent: true) {
                if hasBegun { outcome.interruptions += 1 }
            } else {
                hasBegun = true
                _ = feed.read(&memory, frames: period)
                let captured = feed.captured(period, at: nanoseconds(begin), nanosecondsPerSample: Float(1e9) / Float(rate))
                if begin > seconds / 2, captured > 0 {
                    let latency = Double(Int64(nanoseconds(begin)) - Int64(captured)) / 1e9
                    (least, most) = (min(least, latency), max(most, latency))
                }
                if kept.count < window { for frame in 0..<period { kept.append(memory[frame * channels]) } }
                if kept.count >= window, begin >= Double(outcome.windows.count + 1) * every {
                    outcome.windows.append(kept)
                    kept = []
                }
            }
            read += 1
            nextRead = max(nextRead, 0.0004 + Double(read) * reading + late())
        }
        outcome.latencies = least...max(least, most)
        outcome.ratio = bridge.ratio
        outcome.blocks = read
        return outcome
    }

    /// Power of everything but one tone, decibels below the tone: a least-squares fit of amplitude, phase, frequency and offset.
    static func residue(_ sound: [Float]) -> Double {
        var frequency = 2 * Double.pi * 1000 / Double(rate)
        var residue = 0.0
        for turn in 0..<4 {
            // Normal equations of cos, sin, n sin - and n cos -, whose share of the fit is an error of the frequency, and 1.
            var sums = [[Double]](repeating: [Double](repeating: 0, count: 6), count: 5)
            let middle = Double(sound.count) / 2
            for (place, sample) in sound.enumerated() {
                let time = Double(place) - middle
                let (c, s) = (cos(frequency * time), sin(frequency * time))
                let row = [c, s, c * time, s * time, 1, Double(sample)]
                for i in 0..<5 { for j in 0..<6 { sums[i][j] += row[i] * row[j] } }
            }
            if turn == 3 { for i in 0..<5 { for k in [2, 3] { (sums[i][k], sums[k][i]) = (i == k ? 1 : 0, i == k ? 1 : 0) } } }
            if turn == 3 { (sums[2][5], sums[3][5]) = (0, 0) }
            let fit = solve(sums)
            let power = (fit[0] * fit[0] + fit[1] * fit[1]) / 2
            if turn == 3 {
                var left = 0.0
                for (place, sample) in sound.enumerated() {
                    let angle = frequency * (Double(place) - middle)
                    let error = Double(sample) - fit[0] * cos(angle) - fit[1] * sin(angle) - fit[4]
                    left += error * error
                }
                residue = 10 * log10(left / Double(sound.count) / power)
            }
            frequency -= (fit[0] * fit[3] - fit[1] * fit[2]) / (2 * power)
        }
        return residue
    }

    /// Solves five equations by elimination.
    static func solve(_ system: [[Double]]) -> [Double] {
        var rows = system
        for i in 0..<5 {
            let pivot = (i..<5).max { abs(rows[$0][i]) < abs(rows[$1][i]) } ?? i
            rows.swapAt(i, pivot)
            for k in 0..<5 where k != i {
                let factor = rows[k][i] / rows[i][i]
                for j in i..<6 { rows[k][j] -= factor * rows[i][j] }
            }
        }
        return (0..<5).map { rows[$0][5] / rows[$0][$0] }
    }

    @Test func theFitSeesWhatIsNotTheTone() {
        func tone(_ frequency: Double, _ more: (Int) -> Double) -> [Float] {
            (0..<9600).map { Float(0.5 * sin(2 * Double.pi * frequency * Double($0) / 48_000) + more($0)) }
        }
        #expect(Self.residue(tone(1000.2) { _ in 0.1 }) < -120)
        let third = Self.residue(tone(1000.2) { 0.5e-4 * sin(2 * Double.pi * 3000.6 * Double($0) / 48_000) })
        #expect(abs(third + 80) < 0.1)
    }

    /// Clocks 200 ppm apart for ten minutes.
    @Test func clocksApartForTenMinutes() throws {
        let outcome = Self.run(drift: 200e-6, seconds: 600)
        let residues = outcome.windows.dropFirst(20).map(Self.residue)
        let (worst, mean) = (residues.max() ?? 0, residues.reduce(0, +) / Double(residues.count))
        let spread = 1000 * (outcome.latencies.upperBound - outcome.latencies.lowerBound)
        print(
            "200 ppm, 600 s: interruptions \(outcome.interruptions), residue at most \(worst) dB, mean \(mean) dB, latency "
                + "\(1000 * outcome.latencies.lowerBound) ms, spread \(spread) ms, ratio \(outcome.ratio), target \(outcome.target)")
        #expect(outcome.interruptions == 0 && outcome.windows.count > 590)
        #expect(worst < -90)
        #expect(abs(outcome.ratio - 1.0002) < 1e-6)
        // From the converter to the first frame of a block: what the loop keeps, and the block itself.
        #expect(abs(outcome.latencies.upperBound - (outcome.target + 64) / 48_000) < 2e-5 && spread < 0.02)
    }

    @Test(arguments: [-200e-6, 0, 3e-6])
    func otherClocks(_ drift: Double) {
        let outcome = Self.run(drift: drift, seconds: 60)
        let worst = outcome.windows.dropFirst(20).map(Self.residue).max() ?? 0
        print("\(1e6 * drift) ppm: residue at most \(worst) dB, latency \(outcome.latencies)")
        #expect(outcome.interruptions == 0)
        #expect(worst < -90)
    }

    @Test func lateThreadsDoNotInterruptIt() {
        let outcome = Self.run(drift: 100e-6, seconds: 120, jitter: 0.001)
        let worst = outcome.windows.dropFirst(60).map(Self.residue).max() ?? 0
        print("late by up to 1 ms: residue at most \(worst) dB, latency \(outcome.latencies), ratio \(outcome.ratio)")
        #expect(outcome.interruptions == 0)
        #expect(worst < -90)
        #expect(abs(outcome.ratio - 1.0001) < 5e-6)
    }

    @Test func threadsThatAreLaterThanTheReserveIncreaseIt() {
        let outcome = Self.run(drift: 100e-6, seconds: 60, jitter: 0.008)
        print("late by up to 8 ms: \(outcome.interruptions) interruptions, latency \(outcome.latencies)")
        // 2 ms, 4 ms, 8 ms: each is doubled by the interruption that shows it to be too short.
        #expect((1...40).contains(outcome.interruptions))
        #expect(outcome.latencies.upperBound < 0.040)
    }

    @Test func oneClockIsToTheBit() {
        let outcome = Self.run(drift: 0, seconds: 10, resamples: false)
        let tone = Set(Self.tone)
        #expect(outcome.interruptions == 0)
        #expect(outcome.windows.allSatisfy { $0.allSatisfy(tone.contains) })
        #expect(outcome.latencies.upperBound - outcome.latencies.lowerBound < 1e-6)
    }

    @Test func withoutTheLoopTheClocksPartWays() {
        // The ring is too empty or too full after a while, which the feed notices.
        let outcome = Self.run(drift: -200e-6, seconds: 60, resamples: false)
        #expect(outcome.interruptions > 0)
    }
}
