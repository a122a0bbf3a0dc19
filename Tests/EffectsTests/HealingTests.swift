import Crossing
import DSP
import Effects
import Foundation
import Rack
import RackCore
import TestSupport
import Testing

/// Effects and racks that receive samples which are infinite, not numbers, or far beyond full scale.
@Suite struct HealingTests {
    /// Samples that are poured into sound.
    enum Poison: CaseIterable, Sendable {
        case notANumber, infinity, largest, burst, waves

        var samples: [Float] {
            switch self {
            case .notANumber: [.nan]
            case .infinity: [.infinity, -.infinity]
            case .largest: [3e38, -3e38]
            case .burst: [1e20, -1e20]
            case .waves: [1e7, -1e7]
            }
        }
    }

    static let rate = 48_000
    static let block = 64
    static let rows = EffectRegistry.standard.kinds.flatMap { kind in kind.benchmarks.map { (kind, $0) } }

    /// Noise of random signs: every part of it has the same energy.
    static func clean(_ frames: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<frames).map { _ in Bool.random(using: &random) ? 0.3 : -0.3 }
    }

    /// Blocks with poison on a few frames.
    static func poisoned(_ poison: Poison, blocks: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        var sound = clean(blocks * block, seed: seed)
        for first in stride(from: 0, to: sound.count, by: block) {
            for _ in 0..<4 { sound[first + Int.random(in: 0..<block, using: &random)] = poison.samples.randomElement(using: &random)! }
        }
        return sound
    }

    /// Runs a sound through both sides of an effect, in blocks.
    static func run(_ unit: inout EffectUnit, _ values: [Float], _ sound: [Float]) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(2 * sound.count)
        var left = [Float](repeating: 0, count: block + 16)
        var right = left
        for first in stride(from: 0, to: sound.count, by: block) {
            for i in 0..<block {
                left[i] = sound[first + i]
                right[i] = sound[sound.count - 1 - first - i]
            }
            unit.process(&left, &right, frames: block, values: values, tempo: 120)
            result += left[..<block] + right[..<block]
        }
        return result
    }

    static func energy(_ sound: ArraySlice<Float>) -> Double { sound.reduce(0) { $0 + Double($1) * Double($1) } }

    static func largest(_ sound: [Float]) -> Float {
        sound.reduce(0) { $1.isFinite ? max($0, abs($1)) : .infinity }
    }

    @Test(arguments: rows.indices) func everyEffectRecoversFromPoison(_ index: Int) {
        let (kind, row) = Self.rows[index]
        let seed = SeededRandom.seed("\(row.name)")
        let values = row.values(0)
        func make() -> EffectUnit {
            EffectUnit(
                kind, rate: Float(Self.rate), largestBlock: Self.block, values: row.values(0), response: row.response?())
        }
        var fresh = make()
        // To the end of its tail and 100 ms, of dynamics until gain is back, and then as long as it takes to compare levels.
        let release = kind.measuresReduction ? Self.rate / 2 : 0
        let wait = (fresh.tail(values, tempo: 120) + fresh.latency + Self.rate / 10 + release) / Self.block * Self.block
        // Whole periods of the modulation, whose phase may differ.
        let sound = Self.clean(wait + Self.rate, seed: seed)
        let expected = Self.run(&fresh, values, sound)
        let before = fresh.counts.resets
        #expect(before == 0, "\(row.name) was reset by clean sound")
        for poison in Poison.allCases {
            var unit = make()
            _ = Self.run(&unit, values, Self.clean(4800, seed: seed &+ 1))
            let during = Self.run(&unit, values, Self.poisoned(poison, blocks: 3, seed: seed))
            let after = Self.run(&unit, values, sound)
            #expect(Self.largest(during) <= SoundRange.limit && Self.largest(after) <= SoundRange.limit, "\(row.name), \(poison)")
            let change = Self.energy(after[(2 * wait)...]) / Self.energy(expected[(2 * wait)...])
            #expect(abs(10 * log10(change)) < 0.5, "\(row.name), \(poison): \(10 * log10(change)) dB")
            // A limiter and the curves of an overdrive silence samples that are not finite; large ones, some effects saturate.
            let resets = unit.counts.resets
            let isSilenced = kind == .limiter || kind == .overdrive
            if !isSilenced, poison == .notANumber || poison == .infinity { #expect(resets > 0, "\(row.name), \(poison)") }
        }
    }

    /// As above, through a rack, which keeps poison out of its effects.
    @Test(arguments: rows.indices) func everyEffectInARackRecoversWithinATenthOfASecond(_ index: Int) {
        let (kind, row) = Self.rows[index]
        let seed = SeededRandom.seed("rack, \(row.name)")
        var slot = RackDescription.Slot(kind)
        slot.values = row.values(0)
        func make() -> LiveRackTests.Bench {
            var bench = LiveRackTests.Bench(response: row.response?())
            bench.edit { $0.load(RackDescription([.slot(slot)])) }
            return bench
        }
        let before = Self.clean(4800, seed: seed)
        let sound = Self.clean(Self.rate / 2 / Self.block * Self.block, seed: seed &+ 1)
        for poison in Poison.allCases {
            // Silence instead of the poison.
            var spoilt = make()
            var spared = make()
            let silence = [Float](repeating: 0, count: 3 * Self.block)
            for (signal, isSpoilt) in [(before, false), (Self.poisoned(poison, blocks: 3, seed: seed), true), (sound, false)] {
                spoilt.run(blocks: signal.count / Self.block, signal)
                spared.run(blocks: signal.count / Self.block, isSpoilt ? silence : signal)
            }
            let refusals = spoilt.rack.counts.resets
            #expect(refusals == 3)
            let peak = Self.largest(spoilt.output)
            #expect(peak < 30, "\(row.name), \(poison)")
            let from = before.count + silence.count + Self.rate / 10
            let change = Self.energy(spoilt.output[from...]) / Self.energy(spared.output[from...])
            #expect(abs(10 * log10(change)) < 0.5, "\(row.name), \(poison): \(10 * log10(change)) dB")
        }
    }

    /// Eight equalisers at +18 dB in all bands overflow; back at 0 dB they are heard again.
    @Test func equalisersThatOverflowAreHeardAgain() throws {
        var bench = LiveRackTests.Bench()
        try bench.edit { model in for _ in 0..<8 { _ = try model.add(.equaliser) } }
        let tone: (Int) -> Float = { 0.5 * sin(2 * .pi * 1000 * Float($0) / 48_000) }
        let gains = EffectKind.equaliser.parameters.enumerated().filter { $0.element.name.hasSuffix("gain") }.map(\.offset)
        #expect(gains.count == 8)
        func set(_ decibels: Float) {
            for slot in 1...8 { for gain in gains { bench.builder.set(slot, RackSlot.Control.first + gain, decibels) } }
        }
        bench.run(blocks: 100, tone)
        set(18)
        bench.run(blocks: 750, tone)
        let resets = (1...8).reduce(0) { $0 + bench.builder.resets($1).all }
        #expect(resets > 0)
        // At most two of each equaliser in every pause.
        #expect(resets <= 8 * 42)
        set(0)
        bench.run(blocks: 750, tone)
        let end = bench.output.suffix(4800)
        #expect(abs(10 * log10(Self.energy(end) / 4800 / 0.125)) < 0.5)
        let peak = Self.largest(bench.output)
        #expect(peak <= SoundRange.limit)
    }

    /// A square wave at full scale through +18 dB eight times, 144 dB in one chain, is loud but legal in each of two stages of 54 dB.
    @Test func loudSoundThatIsLegalIsNotTouched() throws {
        var unit = EffectUnit(.equaliser, rate: 48_000, largestBlock: Self.block)
        var values = EffectKind.equaliser.initial
        // A peak of 18 dB at the same frequency in the first six bands: 108 dB.
        for band in 0..<6 {
            values[4 * band] = 1
            values[4 * band + 1] = 1000
            values[4 * band + 2] = 18
            values[4 * band + 3] = 1
        }
        let square = (0..<48_000).map { $0 / 24 % 2 == 0 ? Float(1) : -1 }
        let loud = Self.run(&unit, values, square)
        #expect(Self.largest(loud) > 1e5)
        let resets = unit.counts.resets
        #expect(resets == 0)
        let isLegal = loud.allSatisfy { $0.isFinite }
        #expect(isLegal)
    }

    /// The sound around a reset bends no more than the fades do: nothing is cut off.
    @Test func aResetFades() throws {
        var bench = LiveRackTests.Bench()
        try bench.edit { _ = try $0.add(.equaliser) }
        let tone: (Int) -> Float = { 0.5 * sin(2 * .pi * 100 * Float($0) / 48_000) }
        bench.run(blocks: 100, tone)
        let before = bench.click()
        bench.run(blocks: 1) { $0 % 64 == 20 ? .nan : tone($0) }
        bench.run(blocks: 100, tone)
        // A cut of the tone would be up to 0.5; a corner of a fade is about a thousandth.
        let after = bench.click()
        #expect(after < before + 0.01, "\(after), before \(before)")
    }
}
