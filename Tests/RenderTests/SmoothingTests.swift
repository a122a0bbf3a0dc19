import Binaural
import Foundation
import Parameters
import Pose
import Render
import TestSupport
import Testing

/// Smoothing of the renderer as declared for each parameter.
@Suite struct SmoothingTests {
    /// Gain of the left ear for a recording of ones, from the block of a change on.
    private func response(_ change: (inout RenderHarness) -> Void, blocks: Int = 200) -> [Float] {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 64 * (blocks + 20)) { _, _ in 1 }
        harness.render(blocks: 10)
        let first = harness.left.count
        change(&harness)
        harness.render(blocks: blocks)
        return Array(harness.left[first...])
    }

    /// Share of the change completed at the end of the block in which `seconds` have passed.
    private func share(_ response: [Float], from: Float, to: Float, after seconds: Float) -> Float {
        let block = Int((seconds * 48_000 / 64).rounded())
        return (response[64 * block - 1] - from) / (to - from)
    }

    /// A one-pole low-pass has completed 63 % of a change after one time constant, 95 % after three.
    @Test func levelsFollowTheirTimeConstant() throws {
        for (parameter, value, to) in [(ListenerParameter.gain, Float(-20), Float(0.1)), (.mute, 1, 0)] {
            guard case .onePole(let seconds) = parameter.spec.smoothing else {
                Issue.record("\(parameter) is not smoothed by a one-pole low-pass")
                continue
            }
            let heard = response { $0.set(parameter, value) }
            // The time is rounded to whole blocks of 1.33 ms.
            for times in [1, 3] as [Float] {
                let blocks = (times * seconds * 750).rounded() / 750
                let expected: Float = 1 - expf(-blocks / seconds)
                let reached: Float = share(heard, from: 1, to: to, after: blocks)
                #expect(abs(reached - expected) < 1e-3, "\(parameter)")
            }
            #expect(heard.last == to)
        }
    }

    /// A new method is heard alone after the crossfade, and not before.
    @Test func methodsCrossfadeInTheirTime() throws {
        guard case .crossfade(let seconds) = ListenerParameter.method.spec.smoothing else {
            Issue.record("methods are not crossfaded")
            return
        }
        var harness = RenderHarness(method: .nearest)
        // The left ear at 90 degrees is slightly nearer to microphone 13, the only one with sound, than to any other.
        harness.play(frames: 64 * 220) { channel, _ in channel == 12 ? 1 : 0 }
        harness.inlet.send(yaw: 5, pitch: 0, roll: 0, receiveTime: 1)
        harness.render(blocks: 10)
        let first = harness.left.count
        harness.set(ListenerParameter.method, 1)
        harness.render(blocks: 200)
        let heard = harness.left[first...]
        let (from, to) = (harness.left[first - 1], harness.left.last!)
        #expect(from != to)
        let length = try #require(heard.firstIndex { abs($0 - to) < 1e-6 }) - first
        let took = Float(length) / 48_000
        #expect(abs(took - seconds) < 64 / 48_000)
    }

    /// A ramp across one block, at the end of which the new value is reached.
    @Test func anglesAreRampedAcrossABlock() {
        #expect(ListenerParameter.ypr.spec.smoothing == .block && ListenerParameter.front.spec.smoothing == .block)
        var harness = RenderHarness(method: .linear)
        harness.play(frames: 6400) { channel, _ in channel == 12 ? 1 : 0 }
        harness.render(blocks: 2)
        harness.set(ListenerParameter.front, 11.25)
        harness.render(blocks: 2)
        for frame in 0..<64 {
            let expected: Float = 1 - 0.5 * Float(frame + 1) / 64
            #expect(abs(harness.left[128 + frame] - expected) < 1e-5)
            #expect(abs(harness.left[192 + frame] - 0.5) < 1e-5)
        }
    }
}
