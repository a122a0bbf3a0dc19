import Binaural
import Crossing
import Parameters
import Pose
import Render
import RenderInterface
import TestSupport
import Testing

/// Music in both ears, beside a recording.
@Suite struct MusicPlayerTests {
    /// A harness that plays a constant recording, with an end for music and one at which its frames arrive.
    private struct Setup: ~Copyable {
        var harness = RenderHarness(method: .nearest)
        var music: Handover<MusicFeed>.Control
        var producer: FrameRing.Producer

        init(recorded: Float) {
            music = harness.lines.direct.music.take()
            let ring = FrameRing(channels: 2, capacity: 1 << 17)
            producer = ring.producer
            _ = music.send(MusicFeed(ring.consumer))
            harness.play(frames: 100_000) { _, _ in recorded }
        }

        /// Sends another source.
        mutating func send() {
            let ring = FrameRing(channels: 2, capacity: 1 << 17)
            producer = ring.producer
            _ = music.send(MusicFeed(ring.consumer))
        }

        mutating func write(_ frames: Int, left: Float = 0.25, right: Float = -0.5) {
            var samples: [Float] = []
            for _ in 0..<frames { samples += [left, right] }
            _ = producer.write(samples, frames: frames)
        }
    }

    @Test func withoutMusicTheEarsStayAsTheyAre() {
        var plain = RenderHarness(method: .nearest)
        plain.play(frames: 100_000) { channel, frame in Float((channel + frame) % 31) / 64 }
        plain.render(blocks: 100)
        var setup = Setup(recorded: 0)
        setup.harness.play(frames: 100_000, number: 2) { channel, frame in Float((channel + frame) % 31) / 64 }
        setup.write(60_000)
        setup.harness.render(blocks: 100)
        #expect(setup.harness.left.suffix(3000).allSatisfy { (0...0.5).contains($0) })
        #expect(Set(setup.harness.left.suffix(3100)).isSubset(of: Set(plain.left)))
    }

    @Test func bothSidesReachTheirEarsWhateverTheHeadDoes() {
        var setup = Setup(recorded: 0.125)
        setup.harness.set(MusicParameter.run, 1)
        setup.write(60_000)
        for yaw in [Float(0), 90, 180] {
            setup.harness.inlet.send(yaw: yaw, pitch: 0, roll: 0, receiveTime: 1)
            setup.harness.render(blocks: 100)
            #expect(setup.harness.left.last == 0.375 && setup.harness.right.last == -0.375)
        }
        setup.harness.set(MusicParameter.gain, -6.0206)
        setup.harness.render(blocks: 200)
        #expect(abs((setup.harness.left.last ?? 0) - 0.25) < 1e-4)
        #expect(steps(setup.harness.right) < 0.01)
    }

    @Test func itWaitsForASecondOfSoundAndFadesWhenThereIsLess() {
        var setup = Setup(recorded: 0)
        setup.harness.set(MusicParameter.run, 1)
        setup.write(47_000)
        setup.harness.render(blocks: 20)
        #expect(setup.harness.left.allSatisfy { $0 == 0 } && setup.harness.lines.direct.isMusicHeard[0] == 0)
        setup.write(2000)
        setup.harness.render(blocks: 20)
        #expect(setup.harness.left.last == 0.25 && setup.harness.lines.direct.isMusicHeard[0] == 1)
        // The store runs empty: the sound fades out before, and returns after a second of sound has arrived.
        setup.harness.render(blocks: 1000)
        #expect(setup.harness.left.last == 0 && setup.harness.lines.direct.isMusicHeard[0] == 0)
        setup.write(40_000)
        setup.harness.render(blocks: 20)
        #expect(setup.harness.left.last == 0)
        setup.write(10_000)
        setup.harness.render(blocks: 40)
        #expect(setup.harness.left.last == 0.25)
        #expect(steps(setup.harness.left) < 0.01)
    }

    @Test func aSourceThatEndsIsPlayedToItsLastFrame() {
        var setup = Setup(recorded: 0)
        setup.harness.set(MusicParameter.run, 1)
        setup.write(5000)
        setup.producer.end()
        setup.harness.render(blocks: 100)
        #expect(setup.harness.left.lastIndex { $0 != 0 } == 4999)
        #expect(setup.harness.lines.direct.isMusicHeard[0] == 0)
    }

    @Test func anotherSourceFollowsAFade() {
        var setup = Setup(recorded: 0)
        setup.harness.set(MusicParameter.run, 1)
        setup.write(60_000)
        setup.harness.render(blocks: 50)
        setup.send()
        setup.write(60_000, left: 0.5, right: 0.5)
        setup.harness.render(blocks: 100)
        #expect(setup.harness.left.last == 0.5 && setup.harness.right.last == 0.5)
        #expect(steps(setup.harness.left) < 0.01)
        setup.harness.set(MusicParameter.run, 0)
        setup.harness.render(blocks: 100)
        #expect(setup.harness.left.last == 0)
    }

    /// The largest difference of neighbouring samples.
    private func steps(_ signal: [Float]) -> Float { zip(signal, signal.dropFirst()).map { abs($1 - $0) }.max() ?? 0 }
}
