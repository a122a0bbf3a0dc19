import Binaural
import CRealtime
import Crossing
import DSP
import Effects
import Foundation
import Parameters
import Pose
import Rack
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// Renderers that receive samples which are infinite, not numbers, or far beyond full scale.
@Suite struct RenderHealingTests {
    static let poisons: [(name: String, samples: [Float])] = [
        ("not a number", [.nan]), ("infinite", [.infinity, -.infinity]), ("largest", [3e38, -3e38]), ("burst", [1e20, -1e20]),
        ("waves", [1e7, -1e7]),
    ]
    /// Frames of a block, and of the part of a sound that is poisoned: 0.2 to 0.25 s.
    static let block = 64
    static let poisoned = 9600..<12_000
    /// 100 ms after the poison.
    static let healed = poisoned.upperBound + 4800
    static let frames = 24_000

    /// A number from -0.4 to 0.4 that depends on its place alone.
    static func noise(_ channel: Int, _ frame: Int) -> Float {
        let mixed = UInt32(truncatingIfNeeded: channel &* 7919 &+ frame &* 104_729 &+ 1) &* 2_654_435_761
        return 0.8 * (Float(mixed >> 8) / Float(1 << 24) - 0.5)
    }

    /// As ``noise(_:_:)``, with poison on a few frames.
    static func spoilt(_ channel: Int, _ frame: Int, _ poison: [Float], seed: UInt32) -> Float {
        let mixed = (UInt32(truncatingIfNeeded: channel &* 131 &+ frame &* 8191) &+ seed) &* 2_654_435_761
        return poisoned.contains(frame) && mixed >> 28 == 0 ? poison[Int(mixed >> 20 & 1) % poison.count] : noise(channel, frame)
    }

    static func energy(_ sound: ArraySlice<Float>) -> Double { sound.reduce(0) { $0 + Double($1) * Double($1) } }

    static func largest(_ sound: [Float]) -> Float { sound.reduce(0) { $1.isFinite ? max($0, abs($1)) : .infinity } }

    /// Compares what is heard of poisoned sound with what is heard of the same sound without it.
    static func compare(
        _ name: String, _ spoilt: borrowing RenderHarness, _ spared: borrowing RenderHarness, bound: Float, place: Int
    ) {
        for (heard, expected) in [(spoilt.left, spared.left), (spoilt.right, spared.right)] {
            let (peak, before) = (largest(heard), Array(heard[..<poisoned.lowerBound]) == Array(expected[..<poisoned.lowerBound]))
            #expect(peak < bound, "\(name): \(peak)")
            #expect(before, "\(name) changes sound before the poison")
            let change = 10 * log10(energy(heard[healed...]) / energy(expected[healed...]))
            #expect(abs(change) < 0.5, "\(name): \(change) dB")
        }
        let (resets, none) = (spoilt.lines.reports.resets[place], spared.lines.reports.resets[place])
        #expect(resets > 0 && none == 0, "\(name) counts \(resets) resets, and \(none) without poison")
    }

    @Test(arguments: InterpolationMethod.allCases) func aPoisonedRecordingIsForgotten(_ method: InterpolationMethod) {
        var random = SeededRandom("\(method)")
        let seed = UInt32(truncatingIfNeeded: random.next())
        func play(_ poison: [Float]?) -> RenderHarness {
            var harness = RenderHarness(method: method, protection: .always)
            var ears = harness.lines.listeners[0].hrtf.take()
            _ = ears.send(HRTFSet(.made(for: harness.array)))
            harness.inlet.send(yaw: 20, pitch: 0, roll: 0, receiveTime: 1)
            harness.play(frames: Self.frames, ends: false) { channel, frame in
                if let poison { Self.spoilt(channel, frame, poison, seed: seed) } else { Self.noise(channel, frame) }
            }
            harness.render(blocks: (Self.frames - 2048) / Self.block)
            return harness
        }
        let spared = play(nil)
        for poison in Self.poisons {
            let spoilt = play(poison.samples)
            Self.compare("\(method), \(poison.name)", spoilt, spared, bound: 1.01, place: RangePlaces.recording)
        }
    }

    @Test func poisonedFiltersAreForgotten() {
        func play(_ tap: Float?) -> RenderHarness {
            var harness = RenderHarness(method: .hrtf)
            var ears = harness.lines.listeners[0].hrtf.take()
            let layout = HRTFLayout(harness.array)
            let count = 2 * harness.array.count * HRTFFrame(rate: 48_000).taps
            let good = FilterBank.made(for: harness.array)
            harness.play(frames: Self.frames, ends: false, Self.noise)
            _ = ears.send(HRTFSet(good))
            harness.render(blocks: Self.poisoned.lowerBound / Self.block)
            if let tap {
                let sets = [[Float]](repeating: .init(repeating: tap, count: count), count: layout.sets)
                _ = ears.send(HRTFSet(FilterBank(layout, HRTFFrame(rate: 48_000), sets: sets)))
            }
            harness.render(blocks: Self.poisoned.count / Self.block)
            ears.collect()
            _ = ears.send(HRTFSet(.made(for: harness.array)))
            harness.render(blocks: (Self.frames - 2048 - Self.poisoned.upperBound) / Self.block)
            return harness
        }
        let spared = play(nil)
        for tap in [Float.nan, .infinity, 3e38, 1e20] {
            let spoilt = play(tap)
            Self.compare("filters of \(tap)", spoilt, spared, bound: 30, place: RangePlaces.listener(0))
        }
    }

    @Test(arguments: poisons.indices) func aPoisonedObjectIsForgotten(_ index: Int) {
        var random = SeededRandom("objects")
        let seed = UInt32(truncatingIfNeeded: random.next())
        func play(_ poison: [Float]?) -> RenderHarness {
            var harness = RenderHarness(method: .nearest, objects: 2)
            for object in 0..<2 {
                let sound = (0..<Self.frames).map { frame in
                    if object == 1, let poison { Self.spoilt(object, frame, poison, seed: seed) } else { Self.noise(object, frame) }
                }
                _ = harness.sounds.send(ObjectSound(object: object, mono: sound))
                harness.set(ObjectParameter.azimuth, Float(60 - 100 * object), of: object)
            }
            harness.render(blocks: Self.frames / Self.block)
            return harness
        }
        let poison = Self.poisons[index]
        let spared = play(nil)
        let spoilt = play(poison.samples)
        let places = spoilt.lines.reports.places
        Self.compare("object, \(poison.name)", spoilt, spared, bound: 10, place: places.object(1))
        let others = spoilt.lines.reports.resets[places.object(0)] + spoilt.lines.reports.resets[RangePlaces.listener(0)]
        #expect(others == 0)
    }

    /// Live input through a rack of the effects that once stayed silent.
    @Test(arguments: poisons.indices) func poisonedInputIsForgotten(_ index: Int) throws {
        var random = SeededRandom("input")
        let seed = UInt32(truncatingIfNeeded: random.next())
        func play(_ poison: [Float]?) throws -> RenderHarness {
            let clip = (0..<Self.frames).flatMap { frame in
                (0..<2).map { side in
                    if let poison { Self.spoilt(side, frame, poison, seed: seed) } else { Self.noise(side, frame) }
                }
            }
            var harness = RenderHarness(method: .nearest, clip: InputClip(interleaved: clip))
            var plans = harness.lines.direct.inputRack.take()
            let builder = RackBuilder(rate: 48_000, largestBlock: Self.block)
            var model = RackModel()
            for kind in [EffectKind.reverb, .flanger, .phaser, .compressor] { _ = try model.add(kind) }
            // The room is 13 dB below the dry sound: it lacks the sound of the gap for longer than is compared.
            model.edit(1) { $0.mix = EffectKind.reverb.wetDry.law.share(linear: 0.18) }
            builder.follow(model, enters: false)
            _ = plans.send(builder.plan())
            harness.render(blocks: Self.frames / Self.block)
            return harness
        }
        let poison = Self.poisons[index]
        let spared = try play(nil)
        let spoilt = try play(poison.samples)
        Self.compare("input, \(poison.name)", spoilt, spared, bound: 30, place: RangePlaces.input)
    }

    /// A recording that poisons everything, and then another one, as when a user loads a good file after a bad one.
    @Test func aGoodRecordingAfterABadOneIsAsLoudAsEver() {
        func play(first: [Float]?) -> RenderHarness {
            var harness = RenderHarness(array: .uniform(count: 4), method: .ring, protection: .always)
            harness.play(frames: 9600, number: 1, ends: false) { channel, frame in
                if let first { first[(channel + frame) % first.count] } else { Self.noise(channel, frame) }
            }
            harness.render(blocks: 6000 / Self.block)
            harness.play(frames: 2 * Self.frames, number: 2, ends: false, Self.noise)
            // The limiter needs most of a second to release what was in range of the crossfade.
            harness.render(blocks: 40_000 / Self.block)
            return harness
        }
        let expected = Self.energy(play(first: nil).left.suffix(9600))
        for poison in Self.poisons {
            let heard = Self.energy(play(first: poison.samples).left.suffix(9600))
            #expect(abs(10 * log10(heard / expected)) < 0.5, "\(poison.name)")
        }
    }

    /// A square wave at full scale on all microphones and input is legal.
    @Test(arguments: InterpolationMethod.allCases) func fullScaleIsLegal(_ method: InterpolationMethod) {
        var harness = RenderHarness(method: method, protection: .always, clip: InputClip(interleaved: [1, 1, -1, -1]))
        harness.play(frames: 9600) { _, frame in frame / 50 % 2 == 0 ? 1 : -1 }
        harness.render(blocks: 150)
        let resets = (0..<harness.lines.reports.places.count).reduce(0) { $0 + harness.lines.reports.resets[$1] }
        #expect(resets == 0)
    }
}
