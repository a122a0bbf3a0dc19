import Binaural
import Crossing
import Foundation
import Parameters
import Pose
import Render
import RenderInterface
import TestSupport
import Testing

/// Listeners with HRTF filters: the output follows the filters for any block size and without clicks, and filters that
/// no listener uses are freed.
@Suite struct HRTFRenderTests {
    static let frame = HRTFFrame(rate: 48_000)

    /// Filters defined by a formula: `tap(set, ear, channel, tap)`.
    func bank(_ array: MicrophoneArray, _ tap: (Int, Ear, Int, Int) -> Float) -> FilterBank {
        let layout = HRTFLayout(array)
        let sets = (0..<layout.sets).map { set in
            [Ear.left, .right].flatMap { ear in
                layout.channels.flatMap { channel in (0..<Self.frame.taps).map { tap(set, ear, channel, $0) } }
            }
        }
        return FilterBank(layout, Self.frame, sets: sets)
    }

    func noise(_ a: Int, _ b: Int) -> Float {
        let mixed = UInt32(truncatingIfNeeded: a &* 7919 &+ b &* 104_729 &+ 1) &* 2_654_435_761
        return Float(mixed >> 8) / Float(1 << 24) - 0.5
    }

    /// Four microphones and the filters of the ninth set, convolved directly.
    @Test(arguments: [16, 64, 100, 480, 1000, 8192])
    func filtersAreConvolvedWith(_ period: Int) {
        let array = MicrophoneArray.uniform(count: 4)
        let bank = bank(array) { set, ear, channel, tap in
            set == 9 ? 0.2 * noise(channel + (ear == .left ? 0 : 4), tap) : 99
        }
        var harness = RenderHarness(array: array, method: .hrtf, period: period)
        var ears = harness.lines.listeners[0].hrtf.take()
        _ = ears.send(HRTFSet(bank))
        harness.inlet.send(yaw: 9, pitch: 0, roll: 0, receiveTime: 1)
        // The first block has no array yet, and the crossfade from the stand-in takes some time.
        let start = max(4000, 3 * period)
        harness.play(frames: start + 16_384) { noise(100 + $0, $1) }
        harness.render(blocks: (start + 8192) / period)
        var worst: Float = 0
        for (ear, heard) in [(0, harness.left), (4, harness.right)] {
            for frame in stride(from: start, to: start + 6000, by: 61) {
                var sum: Float = 0
                for channel in 0..<4 {
                    for tap in 0..<Self.frame.taps {
                        sum += 0.2 * noise(channel + ear, tap) * noise(100 + channel, frame - tap)
                    }
                }
                worst = max(worst, abs(heard[frame + Self.frame.part] - sum))
            }
        }
        #expect(worst < 2e-5, "period \(period): \(worst)")
    }

    /// While the head turns, both neighbouring sets of filters are heard, each with its share.
    @Test func filtersAreInterpolatedWhileTurning() {
        let array = MicrophoneArray.uniform(count: 4)
        let bank = bank(array) { set, _, channel, tap in channel == 0 && tap == 0 ? Float(set) : 0 }
        var harness = RenderHarness(array: array, method: .hrtf)
        var ears = harness.lines.listeners[0].hrtf.take()
        _ = ears.send(HRTFSet(bank))
        harness.play(frames: 6400) { channel, _ in channel == 0 ? 1 : 0 }
        // 22.5 degrees per second.
        func yaw(_ block: Int) -> Float { 9 + 0.03 * Float(block) }
        for block in 0..<100 {
            harness.inlet.send(yaw: yaw(block), pitch: 0, roll: 0, receiveTime: UInt64(block + 1))
            harness.render(blocks: 1)
        }
        let heard = (40..<96).map { harness.left[64 * $0 + 32] }
        for (block, sound) in zip(40..., heard) { #expect(abs(sound - yaw(block)) < 0.25, "block \(block): \(sound)") }
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 - $0 > 0.01 && $1 - $0 < 0.05 }, "\(heard)")
    }

    /// At rest, the nearer set of filters is heard alone.
    @Test func theNearerFiltersAreHeardAtRest() {
        let array = MicrophoneArray.uniform(count: 4)
        let bank = bank(array) { set, _, channel, tap in channel == 0 && tap == 0 ? Float(set) : 0 }
        for (yaw, set) in [(Float(9), Float(9)), (9.25, 9), (9.75, 10), (9.9, 10)] {
            var harness = RenderHarness(array: array, method: .hrtf)
            var ears = harness.lines.listeners[0].hrtf.take()
            _ = ears.send(HRTFSet(bank))
            harness.inlet.send(yaw: yaw, pitch: 0, roll: 0, receiveTime: 1)
            harness.play(frames: 6400) { channel, _ in channel == 0 ? 1 : 0 }
            harness.render(blocks: 50)
            #expect(abs(harness.left[3000] - set) < 1e-3 && abs(harness.right[3000] - set) < 1e-3)
        }
    }

    /// After a quarter turn, the filters of microphone 1 apply to another microphone.
    @Test func aQuarterTurnShiftsTheChannels() {
        let array = MicrophoneArray.uniform(count: 4)
        let bank = bank(array) { _, _, channel, tap in channel == 0 && tap == 0 ? 1 : 0 }
        for (yaw, expected) in [(Float(3), 0), (93, 3), (-177, 2), (-90, 1)] {
            var harness = RenderHarness(array: array, method: .hrtf)
            var ears = harness.lines.listeners[0].hrtf.take()
            _ = ears.send(HRTFSet(bank))
            harness.inlet.send(yaw: yaw, pitch: 0, roll: 0, receiveTime: 1)
            harness.play(frames: 6400) { channel, _ in Float(channel) }
            harness.render(blocks: 50)
            #expect(abs(harness.left[3000] - Float(expected)) < 1e-4 && abs(harness.right[3000] - Float(expected)) < 1e-4)
        }
    }

    /// Without filters, or with filters for another array, `ring-spectral` renders in their place, sample by sample.
    @Test func withoutFiltersTheStandInIsRendered() {
        let ears = [InterpolationMethod.ringSpectral, .hrtf].map { method in
            var harness = RenderHarness(method: method)
            var hrtf = harness.lines.listeners[0].hrtf.take()
            var meters = harness.lines.listeners[0].meters.take()
            _ = hrtf.send(HRTFSet(bank(.uniform(count: 16, first: 1)) { _, _, _, _ in 1 }))
            harness.play(frames: 9600) { noise($0, $1) }
            harness.render(
                blocks: 100,
                before: { block, inlet in
                    inlet.send(yaw: Float(block), pitch: 0, roll: 0, receiveTime: 1)
                })
            var latency: Int32 = 0
            while let frame = meters.pop() { latency = frame.latency }
            #expect(Int(latency) == InterpolationMethod.ringSpectral.latency(rate: 48_000))
            return harness.left
        }
        #expect(ears[0] == ears[1])
    }

    /// Filters appear, are replaced, no longer match and appear again while a head turns: no step larger than the
    /// sound's.
    /// Negative control: the same two ears without a crossfade.
    @Test func replacingFiltersDoesNotClick() {
        let array = MicrophoneArray.uniform(count: 16)
        func tone(_ frame: Int) -> Float { sinf(2 * .pi * 300 * Float(frame % 48_000) / 48_000) }
        let (first, second) = (
            bank(array) { _, _, channel, tap in tap == 96 ? 1 / 16 : 0 },
            bank(array) { set, _, channel, tap in tap == 90 + set % 2 ? -1 / 16 : 0 }
        )
        var harness = RenderHarness(array: array, method: .hrtf)
        var ears = harness.lines.listeners[0].hrtf.take()
        harness.play(frames: 130_000) { _, frame in tone(frame) }
        for step in 0..<12 {
            switch step {
            case 2, 8: _ = ears.send(HRTFSet(first))
            case 4, 9: _ = ears.send(HRTFSet(second))
            case 5: for bank in [first, second, first] { _ = ears.send(HRTFSet(bank)) }
            case 6: _ = harness.arrays.send(ArrayEdit(RingLookup(.uniform(count: 16, first: 2)), version: 1))
            case 7: _ = harness.arrays.send(ArrayEdit(RingLookup(array), version: 2))
            case 10: harness.set(ListenerParameter.method, Float(InterpolationMethod.nearest.rawValue))
            case 11: harness.set(ListenerParameter.method, Float(InterpolationMethod.hrtf.rawValue))
            default: break
            }
            harness.render(
                blocks: 60,
                before: { block, inlet in
                    inlet.send(yaw: Float(step * 60 + block) * 0.24, pitch: 0, roll: 0, receiveTime: 1)
                })
        }
        func largest(_ sound: ArraySlice<Float>) -> Float { zip(sound, sound.dropFirst()).map { abs($0 - $1) }.max()! }
        let own = 2 * Float.pi * 300 / 48_000
        // A change of sign within one partition: 2 / 128 more per sample.
        #expect(largest(harness.left[1000...]) < own + 2.1 / 128)
        let hard = (0..<400).map { $0 < 200 ? tone($0) : -tone($0) }
        #expect(largest(hard[...]) > 0.5)
    }

    /// Replaced filters are returned and freed; filters in use are not.
    @Test func formerFiltersAreFreed() {
        let array = MicrophoneArray.uniform(count: 4)
        var harness = RenderHarness(array: array, method: .hrtf)
        var ears = harness.lines.listeners[0].hrtf.take()
        harness.play(frames: 20_000) { noise($0, $1) }
        weak var former: FilterBank?
        weak var present: FilterBank?
        for turn in 0..<2 {
            let bank = bank(array) { _, _, _, tap in tap == 0 ? 1 : 0 }
            _ = ears.send(HRTFSet(bank))
            if turn == 0 { former = bank } else { present = bank }
            harness.render(blocks: 10)
        }
        ears.collect()
        #expect(former == nil && present != nil)
        // Filters replaced while no listener uses them are freed when one next does.
        harness.set(ListenerParameter.method, Float(InterpolationMethod.ring.rawValue))
        harness.render(blocks: 100)
        _ = ears.send(HRTFSet(bank(array) { _, _, _, _ in 0 }))
        harness.set(ListenerParameter.method, Float(InterpolationMethod.hrtf.rawValue))
        harness.render(blocks: 10)
        ears.collect()
        #expect(present == nil)
    }

    /// An ear azimuth other than 90 turns the head once for each ear.
    @Test func theEarAzimuthTurnsEachEar() {
        let array = MicrophoneArray.uniform(count: 4)
        let bank = bank(array) { set, _, _, tap in tap == 0 ? Float(set) : 0 }
        var harness = RenderHarness(array: array, method: .hrtf)
        var ears = harness.lines.listeners[0].hrtf.take()
        _ = ears.send(HRTFSet(bank))
        harness.set(ListenerParameter.earAzimuth, 100)
        harness.inlet.send(yaw: 30, pitch: 0, roll: 0, receiveTime: 1)
        harness.play(frames: 6400) { _, _ in 0.25 }
        harness.render(blocks: 80)
        #expect(abs(harness.left[4000] - 40) < 0.01 && abs(harness.right[4000] - 20) < 0.01)
    }
}
