import Binaural
import Parameters
import Pose
import Render
import TestSupport
import Testing

/// Output for a turning head when sound leaves 20 ms after it was rendered.
@Suite struct HeadPredictionTests {
    private static let rate = 48_000.0
    private static let latency = 0.02
    private static let blocks = 300
    private static let start: UInt64 = 5_000_000_000

    private static func time(_ seconds: Double) -> UInt64 { start + UInt64(seconds * 1e9) }
    private static func yaw(_ seconds: Double) -> Double { 100 * seconds }

    /// Every microphone outputs its own azimuth, so that the left ear outputs its position, 90 degrees beside the head.
    /// - Returns: error of the output in degrees over the last quarter.
    private func error(isMeasured: Bool, prediction: Float) -> Double {
        var harness = RenderHarness(method: .linear)
        let azimuths = harness.array.azimuthList
        harness.play(frames: 64 * Self.blocks) { channel, _ in Float((azimuths[channel] + 360).truncatingRemainder(dividingBy: 360)) / 360 }
        harness.set(ListenerParameter.autoPrediction, isMeasured ? 1 : 0)
        harness.set(ListenerParameter.prediction, prediction)
        var sent = 0
        harness.render(
            blocks: Self.blocks,
            time: { block in
                let begin = Double(block * 64) / Self.rate
                return .init(begin: Self.time(begin), output: Self.time(begin + Self.latency))
            },
            before: { block, inlet in
                // A tracker at 200 Hz.
                while Double(sent) / 200 <= Double(block * 64) / Self.rate {
                    let at = Double(sent) / 200
                    inlet.send(yaw: Float(Self.yaw(at)), pitch: 0, roll: 0, receiveTime: Self.time(at))
                    sent += 1
                }
            })
        let frames = harness.left.indices.suffix(64 * Self.blocks / 4)
        return frames.reduce(0) { sum, frame in
            let heard = Double(harness.left[frame]) * 360 - 90
            return sum + abs(heard - Self.yaw(Double(frame) / Self.rate + Self.latency)) / Double(frames.count)
        }
    }

    @Test func soundIsRenderedForThePredictedHead() {
        #expect(error(isMeasured: true, prediction: 0) < 0.05)
        // Negative control: 20 ms, half a block and half the tracker's interval later, the head has turned further.
        let held = error(isMeasured: false, prediction: 0)
        #expect(held > 2 && held < 2.6)
    }

    @Test func aFixedPredictionTimeIsUsed() {
        // 15 of about 22.5 to 24 ms.
        let error = error(isMeasured: false, prediction: 15)
        #expect(error > 0.6 && error < 1)
        // Predicting too far is as wrong in the other direction.
        #expect(abs(self.error(isMeasured: true, prediction: 10) - 1) < 0.05)
    }

    @Test func withoutOutputTimesPosesAreNotPredicted() {
        var harness = RenderHarness(method: .nearest)
        harness.set(ListenerParameter.autoPrediction, 1)
        harness.play(frames: 64 * 40) { channel, _ in channel == 4 ? 1 : 0 }
        harness.render(
            blocks: 40,
            before: { block, inlet in
                inlet.send(yaw: -180, pitch: 0, roll: 0, receiveTime: UInt64(block + 1) * 1_000_000)
            })
        // Microphone 5 is at the right; with the head turned round, it is at the left ear.
        #expect(harness.left.last == 1 && harness.right.last == 0)
    }
}
