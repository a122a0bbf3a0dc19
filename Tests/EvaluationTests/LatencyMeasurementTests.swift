import DSP
import Evaluation
import Foundation
import TestSupport
import Testing

/// Latency measurement from synthetic sound and clock readings.
@Suite struct LatencyMeasurementTests {
    /// Two ears of noise; in one of them a tone fades in over 64 frames from `begin` on.
    private func ears(ear: Int, begin: Int, frames: Int = 9600, noise: Float) -> [Float] {
        var samples = [Float](repeating: 0, count: 2 * frames)
        var random = SeededRandom(fixed: 12345)
        for frame in 0..<frames {
            for side in 0..<2 {
                samples[2 * frame + side] = noise * Float(random.white())
            }
            let weight = min(1, max(0, Float(frame - begin + 1) / 64))
            samples[2 * frame + ear] += 0.5 * weight * sin(2 * .pi * (Float(frame) + 0.5) / 8)
        }
        return samples
    }

    @Test(arguments: [(0, 4801, Float(0)), (1, 5000, 1e-4), (1, 3333, 2e-3)])
    func theOnsetOfAToneIsFound(ear: Int, begin: Int, noise: Float) throws {
        let detector = StepDetector(ears(ear: ear, begin: begin, noise: noise))
        let found = try #require(detector.onset(ear: ear, in: 2000..<9000))
        // The ramp has to rise above the noise: some samples, a tenth of a millisecond.
        #expect(found >= begin && found <= begin + 8)
        #expect(detector.onset(ear: 1 - ear, in: 2000..<9000) == nil)
        // A tone that is already present has no onset.
        #expect(detector.onset(ear: ear, in: 7000..<9000) == nil)
    }

    @Test func clickIsNotDetectedAsATone() {
        var samples = ears(ear: 0, begin: 6000, noise: 0)
        samples[2 * 4000] = 0.5
        #expect(StepDetector(samples).onset(ear: 0, in: 2000..<9000).map { $0 >= 6000 && $0 <= 6004 } == true)
    }

    /// A monitor that delivers 5 ms at once and reports no negative delay, so that most readings are early.
    @Test func monitorClockFollowsItsChunks() throws {
        let rate = 48_000.0
        let start = 7_000_000_000.0
        var readings: [CaptureClock.Reading] = []
        for piece in 0..<4000 {
            let first = piece * 240
            let time = start + Double(first) / rate * 1e9
            for part in 0..<4 { readings.append(.init(frame: first + 64 * part, time: UInt64(time) + UInt64(part * 3000))) }
        }
        let clock = try #require(CaptureClock(readings, rate: rate))
        for frame in [30_000, 123_456, 700_001] {
            let error = Double(clock.time(frame: frame)) - (start + Double(frame) / rate * 1e9)
            #expect(abs(error) < 50_000, "frame \(frame): \(error) ns")
        }
    }

    /// A sound card that is 80 ppm slow, with readings that jitter by 20 us.
    @Test func aSoundCardsClockIsFollowed() throws {
        let rate = 48_000 * (1 - 80e-6)
        var random = SeededRandom(fixed: 7)
        let readings = (0..<20_000).map { i -> CaptureClock.Reading in
            .init(frame: i * 64, time: 5_000_000_000 + UInt64(Double(i * 64) / rate * 1e9 + random.within(0...20_000)))
        }
        let clock = try #require(CaptureClock(readings, rate: 48_000))
        for frame in [0, 640_000, 1_279_936] {
            let error = Double(clock.time(frame: frame)) - (5e9 + Double(frame) / rate * 1e9)
            #expect(abs(error) < 30_000, "frame \(frame): \(error) ns")
        }
        #expect(CaptureClock([], rate: 48_000) == nil)
    }

    /// A clock that stopped twice for 60 ms: the nearest reading is right on both sides of a jump.
    @Test func clockThatSkipsTimeIsFollowedAtOnce() throws {
        let rate = 48_000.0
        /// Time of a frame in nanoseconds.
        func truth(_ frame: Int) -> Double {
            2e9 + Double(frame) / rate * 1e9 + (frame >= 100_000 ? 6e7 : 0) + (frame >= 103_000 ? 6e7 : 0)
        }
        let frames = Array(stride(from: 500, to: 300_000, by: 2000))
        let clock = try #require(
            StampClock(frames.map { .init(frame: $0, time: UInt64(truth($0).rounded())) }, rate: rate))
        for frame in frames.flatMap({ [$0 + 20, $0 + 250] }) + [0] {
            #expect(abs(Double(clock.time(frame: frame)) - truth(frame)) < 2, "frame \(frame)")
            // In the middle of a frame, so that rounding does not matter.
            #expect(clock.frame(at: UInt64(truth(frame) + 1e4)) == frame, "frame \(frame)")
        }
        #expect(StampClock([], rate: rate) == nil)
    }

    @Test func theSummaryIsOfTheSortedSteps() throws {
        var random = SeededRandom()
        let steps = (1...200).shuffled(using: &random).map {
            LatencyMeasurement.Step(sent: Double($0), heard: Double($0) + 0.5, told: Double($0))
        }
        let measurement = LatencyMeasurement(steps, missed: 3)
        #expect(measurement.told.median == 100 && measurement.told.p95 == 190 && measurement.told.p99 == 198)
        #expect(measurement.heard.min == 1.5 && measurement.heard.max == 200.5)
        #expect(measurement.difference.median == 0.5)
        #expect(measurement.csv.split(separator: "\n").count == 201)
        let svg = measurement.svg(title: "a < b & c")
        #expect(svg.contains("a &lt; b &amp; c"))
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(measurement.json(["device": "timer"]).utf8)) as? [String: Any])
        #expect(json["missed"] as? Int == 3 && json["steps"] as? Int == 200)
    }

    @Test func theSceneIsATonesWholeCycles() {
        let samples = StepScene.samples(cycles: 100)
        #expect(samples.count == 100 * 8 * StepScene.channels)
        let tone = stride(from: 3, to: samples.count, by: 4).map { samples[$0] }
        #expect(abs(tone.max()! - 0.5 * Float(cos(Double.pi / 8))) < 0.001)
        let rest = stride(from: 0, to: samples.count, by: 4).map { samples[$0..<$0 + 3] }
        #expect(rest.allSatisfy { $0.allSatisfy { $0 == 0 } })
        // The end joins the beginning.
        #expect(abs(tone.last! + tone.first!) < 1e-5)
    }
}
