import Binaural
import Crossing
import DSP
import Foundation
import RenderInterface
import TestSupport
import Testing

@testable import Render
@testable import RenderCore

/// The conditions of a listening test: equal in time, switched alike, and not told apart by any report.
@Suite struct ComparisonTests {
    static let rate: Float = 48_000

    /// A renderer that compares conditions, with one signal at all microphones.
    struct Rig: ~Copyable {
        var harness: RenderHarness
        var stages: Handover<ComparisonStage>.Control
        var meters: Ring<ListenerFrame>.Consumer
        var serial = 0

        init(_ conditions: [ComparisonCondition], seconds: Double = 2, signal: @escaping (Int) -> Float) {
            harness = RenderHarness(method: .linear)
            stages = harness.lines.listeners[0].comparison.take()
            meters = harness.lines.listeners[0].meters.take()
            _ = stages.send(ComparisonStage(conditions, rate: ComparisonTests.rate, period: harness.period))
            let shape: [Float] = (0..<Int(seconds * 48_000)).map(signal)
            harness.play(frames: shape.count) { _, frame in shape[frame] }
            play(0)
        }

        mutating func play(_ index: Int) {
            serial += 1
            harness.lines.comparisons[0] = Float(1 + index + 16 * serial)
        }
    }

    static let all: [ComparisonCondition] = [.nearest, .linear, .twoBand, .twoBandSpectral, .ring, .ringSpectral].map { .init(method: $0) }

    /// Time in samples at which half of a click's energy has been heard.
    static func middle(_ sound: ArraySlice<Float>) -> Double {
        let energy = sound.reduce(0.0) { $0 + Double($1) * Double($1) }
        var (sum, place) = (0.0, sound.startIndex)
        while sum < energy / 2, place < sound.endIndex {
            sum += Double(sound[place]) * Double(sound[place])
            place += 1
        }
        return Double(place)
    }

    @Test func allConditionsAreHeardAtTheSameTime() {
        var times: [Double] = []
        for index in Self.all.indices {
            var rig = Rig(Self.all + [.init(method: .ringSpectral, edge: 3500)]) { $0 == 24_000 ? 1 : 0 }
            rig.play(index)
            rig.harness.render(blocks: 600)
            times.append(Self.middle(rig.harness.left[...]))
        }
        // Without the delays the spectral methods are 128 samples later.
        let spread = (times.max() ?? 0) - (times.min() ?? 0)
        #expect(spread < 24, "\(times)")
    }

    /// A switch to the same condition and one to another: the same fade out, silence and fade in.
    @Test(arguments: [(0, 0), (0, 1), (0, 5), (5, 0), (5, 5), (3, 6), (6, 6)]) func everySwitchIsAlike(from: Int, to: Int) throws {
        var rig = Rig(Self.all + [.init(method: .ring, edge: 3500)]) { _ in 0.25 }
        rig.play(from)
        rig.harness.render(blocks: 300)
        let before = rig.harness.left.count
        rig.play(to)
        rig.harness.render(blocks: 200)
        let sound = rig.harness.left[before...]
        let silent = sound.indices.filter { abs(sound[$0]) < 1e-7 }
        let first = try #require(silent.first) - before
        let last = try #require(silent.last) - before
        #expect(first == 479 || first == 480, "the fade out ends after \(first) samples")
        // The latency of the anchor is part of the silence, whichever conditions are switched.
        #expect(last == Self.expectedEnd, "the silence ends after \(last) samples")
        #expect(silent.count == last - first + 1)
    }

    /// From the constants of the stage: what one switch does, all others must do.
    static var expectedEnd: Int {
        var rig = Rig(all + [.init(method: .ring, edge: 3500)]) { _ in 0.25 }
        rig.play(1)
        rig.harness.render(blocks: 300)
        let before = rig.harness.left.count
        rig.play(1)
        rig.harness.render(blocks: 200)
        return (rig.harness.left[before...].lastIndex { abs($0) < 1e-7 } ?? 0) - before
    }

    @Test func switchesMakeNoClick() {
        var rig = Rig(Self.all) { Float(sin(2 * .pi * 200 * Double($0) / 48_000)) * 0.5 }
        for place in 0..<12 {
            rig.play(place * 5 % 6)
            rig.harness.render(blocks: 100)
        }
        let sound = rig.harness.left
        // A sine of 200 Hz rises by 0.0131 a sample, and half as much again with a fade.
        let step = zip(sound, sound.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        #expect(step < 0.02, "\(step)")
    }

    /// Level of a sine in a condition, dB, by the sum of squares.
    static func level(_ condition: ComparisonCondition, _ frequency: Double) -> Double {
        var rig = Rig([condition]) { Float(sin(2 * .pi * frequency * Double($0) / 48_000)) * 0.25 }
        rig.harness.render(blocks: 900)
        let sound = rig.harness.left.suffix(24_000)
        return 10 * log10(sound.reduce(0.0) { $0 + Double($1) * Double($1) } / 24_000 + 1e-20)
    }

    @Test(arguments: [3500.0, 7000]) func anchorsAreLowPassed(edge: Double) {
        let reference = ComparisonCondition(method: .nearest)
        let anchor = ComparisonCondition(method: .nearest, edge: edge)
        for (frequency, range) in [
            (100, -0.1...0.1), (edge * 0.99, -0.1...0.1), (edge * 8 / 7, -200 ... -25), (edge * 9 / 7, -200 ... -50),
        ] {
            let difference = Self.level(anchor, frequency) - Self.level(reference, frequency)
            #expect(range.contains(difference), "\(difference) dB at \(frequency) Hz")
        }
    }

    @Test func gainsAreApplied() {
        let half = Self.level(.init(method: .linear, gain: 0.5), 1000) - Self.level(.init(method: .linear), 1000)
        #expect(abs(half + 6.02) < 0.01)
    }

    @Test func noReportTellsTheMethod() throws {
        var reports: [[Float]] = []
        for index in Self.all.indices {
            var rig = Rig(Self.all) { _ in 0.25 }
            rig.play(index)
            rig.harness.render(blocks: 300)
            var last: ListenerFrame?
            while let frame = rig.meters.pop() { last = frame }
            let frame = try #require(last)
            reports.append([Float(frame.latency), frame.crossover] + (0..<128).map { frame.low[$0] + frame.high[$0] })
        }
        #expect(Set(reports).count == 1)
        #expect(reports[0].dropFirst().allSatisfy { $0 == 0 } && reports[0][0] > 0)
    }

    @Test func theListenersOwnMethodReturnsAfterwards() {
        var rig = Rig([.init(method: .nearest, gain: 0.5)]) { _ in 0.25 }
        rig.harness.render(blocks: 200)
        rig.harness.lines.comparisons[0] = 0
        rig.harness.render(blocks: 200)
        var plain = RenderHarness(method: .linear)
        plain.play(frames: 96_000) { _, _ in 0.25 }
        plain.render(blocks: 400)
        #expect(abs((rig.harness.left.last ?? 0) - (plain.left.last ?? 1)) < 1e-4)
    }
}
