import Binaural
import Crossing
import Foundation
import Parameters
import Pose
import Render
import TestSupport
import Testing

/// Editing the microphone array during playback.
@Suite struct ArrayEditTests {
    func sine(_ hertz: Float, _ frame: Int, phase: Float = 0) -> Float {
        sinf(2 * .pi * hertz * Float(frame % 48_000) / 48_000 + phase)
    }

    func edit(_ harness: inout RenderHarness, _ version: Int64, _ array: MicrophoneArray, _ calibration: Calibration = .init()) {
        _ = harness.arrays.send(ArrayEdit(RingLookup(array, calibration: calibration), version: version))
    }

    /// Every method with every setting, for upright and leaning heads: no step larger than those of the signal itself.
    @Test(arguments: InterpolationMethod.allCases, [Float(0), 40])
    func editsDoNotClick(_ method: InterpolationMethod, _ roll: Float) {
        var harness = RenderHarness(method: method)
        harness.play(frames: 96_000) { channel, frame in sine(300, frame, phase: Float(channel) * .pi / 8) }
        harness.inlet.send(yaw: 7, pitch: 0, roll: roll, receiveTime: 1)
        let uniform = MicrophoneArray.uniform(count: 16)
        let dead = (0..<16).map { $0 == 12 || $0 == 4 }
        harness.render(blocks: 100)
        edit(&harness, 1, .uniform(count: 16, radius: 0.0875, first: 3))
        harness.render(blocks: 100)
        edit(&harness, 2, uniform, .init(muted: dead))
        harness.render(blocks: 5)
        edit(&harness, 3, uniform, .init(gains: [1, 0.5, 2], inverted: (0..<16).map { $0 == 11 }))
        harness.render(blocks: 100)
        edit(&harness, 4, .uniform(count: 16, radius: 0.2), .init(delays: [Float](repeating: 20.5, count: 16)))
        harness.render(blocks: 100)
        let step = zip(harness.left.dropFirst(300), harness.left.dropFirst(301)).map { abs($0 - $1) }.max()!
        print(method.name, "roll", roll, "largest step", step)
        #expect(step < 1.05 * 2 * .pi * 300 / 48_000, "\(method.name), roll \(roll): \(step)")
    }

    /// A muted microphone is inaudible with any method and any head orientation.
    @Test(arguments: InterpolationMethod.allCases)
    func aMutedMicrophoneIsSilent(_ method: InterpolationMethod) {
        var harness = RenderHarness(method: method)
        harness.play(frames: 96_000) { channel, frame in channel == 12 ? sine(1000, frame) + sine(9000, frame) : 0 }
        edit(&harness, 1, .uniform(count: 16), .init(muted: (0..<16).map { $0 == 12 }))
        harness.set(ListenerParameter.fixedMicrophone, 13)
        harness.render(
            blocks: 300,
            before: { block, inlet in
                inlet.send(yaw: Float(block), pitch: 0, roll: 0, receiveTime: 1)
            })
        #expect(harness.left.suffix(12_800).allSatisfy { abs($0) < 1e-6 })
    }

    @Test func gainPolarityAndDelayAreApplied() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 48_000) { _, frame in sine(500, frame) }
        var gains = [Float](repeating: 1, count: 16)
        gains[12] = 0.5
        edit(
            &harness, 1, .uniform(count: 16),
            .init(
                gains: gains, inverted: (0..<16).map { $0 == 12 }, delays: (0..<16).map { $0 == 12 ? 10 : 0 }))
        harness.render(blocks: 200)
        for frame in 6000..<12_800 {
            #expect(abs(harness.left[frame] + 0.5 * sine(500, frame - 10)) < 1e-3)
            #expect(abs(harness.right[frame] - sine(500, frame)) < 1e-3)
        }
    }

    /// An edit persists over a seek in the same recording, until a recording with a later version.
    @Test func theLaterVersionHolds() {
        var harness = RenderHarness(method: .nearest)
        func only(_ channel: Int) -> (Int, Int) -> Float { { $0 == channel ? 1 : $1 < 0 ? 1 : 0 } }
        harness.play(frames: 9600, only(0))
        edit(&harness, 3, .uniform(count: 16, first: 90))  // Microphone 1 at the left ear.
        harness.render(blocks: 50)
        #expect(harness.left.last == 1)
        harness.play(frames: 9600, number: 2, only(0))
        harness.render(blocks: 50)
        #expect(harness.left.last == 1)
        harness.play(frames: 9600, number: 3, version: 4, only(0))
        harness.render(blocks: 50)
        #expect(harness.left.last == 0)
    }
}
