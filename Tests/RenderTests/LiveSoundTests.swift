import Crossing
import Parameters
import Render
import RenderCore
import TestSupport
import Testing

/// Objects that sound what another thread writes.
@Suite struct LiveSoundTests {
    /// An object in front with live sound; blocks of 64 frames.
    private struct Rig: ~Copyable {
        var harness = ObjectTests.scene()
        var frames: FrameRing.Producer
        let gate: Switch.Control

        init() {
            let ring = FrameRing(channels: 1, capacity: 1 << 13)
            let gate = Switch()
            frames = ring.producer
            self.gate = gate.control
            self.gate.set(true)
            _ = harness.sounds.send(
                ObjectSound(object: 0, live: LiveSound(frames: ring.consumer, isOpen: gate.realtime, rate: Int(ObjectTests.rate))))
        }

        mutating func write(_ count: Int, _ value: Float = 0.5) {
            _ = frames.write([Float](repeating: value, count: count), frames: count)
        }
    }

    private static func steps(_ sound: some Sequence<Float>) -> Float {
        zip(sound.dropFirst(), sound).map { abs($0 - $1) }.max() ?? 0
    }

    @Test func itIsHeardAndFadesBeforeItsStoreIsEmpty() {
        var rig = Rig()
        for _ in 0..<50 {
            rig.write(64)
            rig.harness.render(blocks: 1)
        }
        rig.write(400)
        rig.harness.render(blocks: 30)
        let sound = rig.harness.left
        #expect(sound.max()! > 0.3)
        // The ears' filters ring for less.
        #expect(sound.suffix(640).allSatisfy { abs($0) < 1e-4 })
        #expect(Self.steps(sound) < 0.02, "\(Self.steps(sound))")
    }

    @Test func whatMayNotBeHeardFadesAtOnceAndIsNotHeardLater() {
        var rig = Rig()
        rig.write(4000)
        rig.harness.render(blocks: 30)
        rig.gate.set(false)
        rig.harness.render(blocks: 12)
        let sound = rig.harness.left
        #expect(sound[..<(30 * 64)].max()! > 0.3 && Self.steps(sound) < 0.02)
        // 5 ms of the fade, and the ears' filters.
        #expect(sound.suffix(6 * 64).allSatisfy { abs($0) < 1e-4 })
        rig.harness.render(blocks: 4)
        rig.gate.set(true)
        rig.harness.render(blocks: 10)
        #expect(rig.harness.left.suffix(10 * 64).allSatisfy { abs($0) < 1e-4 })
    }

    @Test func aMutedObjectGoesOnUnheard() {
        var rig = Rig()
        rig.harness.set(ObjectParameter.mute, 1)
        rig.write(4000)
        rig.harness.render(blocks: 40)
        #expect(rig.harness.left.allSatisfy { abs($0) < 1e-4 })
        #expect(rig.frames.filled < 4000 - 30 * 64)
    }
}
