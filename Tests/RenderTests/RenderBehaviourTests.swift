import Binaural
import Crossing
import Foundation
import Parameters
import Pose
import Render
import RenderInterface
import TestSupport
import Testing

@Suite struct RenderBehaviourTests {
    /// A different tone on every microphone.
    func tones(_ channel: Int, _ frame: Int) -> Float {
        0.5 * sine(Float(200 + 37 * channel), frame)
    }

    func sine(_ hertz: Float, _ frame: Int, phase: Float = 0) -> Float {
        sinf(2 * .pi * hertz * Float(frame) / 48_000 + phase)
    }

    /// Largest second difference, which reveals steps in a smooth signal.
    func roughness(_ signal: [Float]) -> Float {
        var largest: Float = 0
        for i in 2..<signal.count {
            largest = max(largest, abs(signal[i] - 2 * signal[i - 1] + signal[i - 2]))
        }
        return largest
    }

    @Test(arguments: [Float(0), 7.3, 30, -100, 179.9])
    func linearIsTheWeightedSumOfTwoMicrophones(_ yaw: Float) {
        var harness = RenderHarness(method: .linear)
        harness.play(frames: 6400, tones)
        harness.inlet.send(yaw: yaw, pitch: 0, roll: 0, receiveTime: 1)
        harness.render(blocks: 100)
        // Microphone k is at -22.5 k degrees; the left ear at yaw + 90.
        for (ear, azimuth) in [(harness.left, Double(yaw) + 90), (harness.right, Double(yaw) - 90)] {
            let place = -azimuth / 22.5
            let low = floor(place)
            let fraction = place - low
            let a = ((Int(low) % 16) + 16) % 16
            var worst = 0.0
            for frame in 0..<6400 {
                let expected = (1 - fraction) * Double(tones(a, frame)) + fraction * Double(tones((a + 1) % 16, frame))
                worst = max(worst, abs(Double(ear[frame]) - expected))
            }
            #expect(worst < 1e-6, "error \(worst)")
        }
    }

    @Test func theRightEarIsInFrontAfterATurnToTheLeft() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 6400) { channel, _ in channel == 0 ? 1 : 0 }
        harness.inlet.send(yaw: 90, pitch: 0, roll: 0, receiveTime: 1)
        harness.render(blocks: 10)
        #expect(harness.right.last == 1)
        #expect(harness.left.last == 0)
    }

    @Test func recenterMakesThePresentYawTheFront() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 6400) { channel, _ in channel == 12 ? 1 : 0 }  // Azimuth +90.
        harness.inlet.send(yaw: 37, pitch: 0, roll: 0, receiveTime: 1)
        harness.set(ListenerParameter.front, 37)
        harness.render(blocks: 10)
        #expect(harness.left.last == 1)
    }

    @Test func aPoseIsRampedAcrossOneBlock() {
        var harness = RenderHarness(method: .linear)
        harness.play(frames: 6400) { channel, _ in channel == 12 ? 1 : 0 }
        harness.render(blocks: 2)
        harness.inlet.send(yaw: 11.25, pitch: 0, roll: 0, receiveTime: 1)
        harness.render(blocks: 2)
        for frame in 0..<64 {
            let expected = 1 - 0.5 * Float(frame + 1) / 64
            #expect(abs(harness.left[128 + frame] - expected) < 1e-5)
            #expect(abs(harness.left[192 + frame] - 0.5) < 1e-5)
        }
    }

    @Test func twoBandBelowTheCrossoverIsLinearThroughAnAllpass() {
        // Equal pressure at all microphones has the same level with every method, while the ears are in the plane of the ring.
        for method in InterpolationMethod.allCases {
            var harness = RenderHarness(method: method)
            harness.play(frames: 48_000) { _, frame in sine(300, frame) }
            harness.inlet.send(yaw: 33, pitch: 4, roll: -2, receiveTime: 1)
            harness.render(blocks: 740)
            let level = energy(harness.left[24_000..<47_040]) / 23_040
            #expect(abs(10 * log10(level * 2)) < 0.01, "\(method.name)")
        }
    }

    func energy(_ samples: ArraySlice<Float>) -> Float { samples.reduce(Float(0)) { $0 + $1 * $1 } }

    /// 180 degrees per second with every method: no rougher than the signal itself.
    @Test(arguments: InterpolationMethod.allCases)
    func turningTheHeadDoesNotClick(_ method: InterpolationMethod) {
        var harness = RenderHarness(method: method)
        // A plane wave at 500 Hz over the ring: neighbours differ in phase, as on a sphere.
        func wave(_ channel: Int, _ frame: Int) -> Float {
            let along = 0.0875 * cos(Float(channel) * .pi / 8)
            return sine(500, frame, phase: 2 * .pi * 500 * along / 343)
        }
        harness.play(frames: 96_000, wave)
        harness.render(
            blocks: 1500,
            before: { block, inlet in
                inlet.send(yaw: 180 * Float(block) * 64 / 48_000, pitch: 0, roll: 0, receiveTime: 1)
            })
        let own = roughness((0..<2000).map { wave(0, $0) })
        #expect(roughness(Array(harness.left.dropFirst(2000))) < 2 * own)  // Without the beginning of the tone itself.
        // Negative control: the nearest microphone without a crossfade.
        let hard = (0..<96_000).map { frame in
            let place = Int(((90 + 180 * Float(frame) / 48_000) / 22.5).rounded())
            return wave((160 - place) % 16, frame)
        }
        #expect(roughness(hard) > 4 * own)
    }

    @Test func switchingTheMethodCrossfades() {
        var harness = RenderHarness(method: .nearest)
        func wave(_ channel: Int, _ frame: Int) -> Float {
            sine(400, frame, phase: Float(channel) * 0.4)
        }
        harness.play(frames: 96_000, wave)
        harness.inlet.send(yaw: 5, pitch: 0, roll: 0, receiveTime: 1)
        harness.render(blocks: 40)
        for method in [InterpolationMethod.twoBand, .linear, .nearest, .twoBand, .nearest] {
            harness.set(ListenerParameter.method, Float(method.rawValue))
            harness.render(blocks: 7)  // Shorter than the crossfade, so that switches interrupt it as well.
        }
        harness.render(blocks: 40)
        #expect(roughness(harness.left) < 3 * roughness((0..<1000).map { wave(0, $0) }))
    }

    @Test func seekingCrossfadesAndOtherMicrophonesFadeThroughSilence() {
        var harness = RenderHarness(method: .linear)
        func tone(_ hertz: Float) -> (Int, Int) -> Float { { _, frame in sine(hertz, frame, phase: 1) } }
        harness.play(frames: 48_000, tone(300))
        harness.render(blocks: 50)
        harness.play(frames: 48_000, number: 2, tone(330))
        harness.render(blocks: 50)
        #expect(harness.engine.read().feed == 2)
        harness.play(frames: 48_000, number: 3, channels: 8, tone(310))
        harness.render(blocks: 100)
        #expect(harness.engine.read().feed == 3)
        let own = roughness((0..<1000).map { sine(330, $0) })
        #expect(roughness(Array(harness.left.dropFirst(64))) < 3 * own)
        let tail = harness.left.suffix(3200)
        #expect(abs(energy(tail) / 3200 - 0.5) < 0.02)
    }

    @Test func aReaderThatFallsBehindIsFadedAndCounted() {
        var harness = RenderHarness(method: .linear)
        harness.play(frames: 4800, ends: false) { _, frame in sine(300, frame) }
        harness.render(blocks: 200)
        let state = harness.engine.read()
        #expect(state.dropouts == 1)
        #expect(!state.feedEnded)
        #expect(roughness(harness.left) < 3 * roughness((0..<1000).map { sine(300, $0) }))
        #expect(harness.left.suffix(64).allSatisfy { $0 == 0 })
        // Negative control: the same recording with its end declared plays to the last sample, and nothing is counted.
        var whole = RenderHarness(method: .linear)
        whole.play(frames: 4800) { _, frame in sine(300, frame) }
        whole.render(blocks: 200)
        let ended = whole.engine.read()
        #expect(ended.dropouts == 0 && ended.feedEnded && ended.feedFrames == 4800)
        #expect(abs(whole.left[4790] - sine(300, 4790)) < 1e-3)
    }

    @Test func pausingHoldsAndFades() {
        var harness = RenderHarness(method: .linear)
        harness.play(frames: 96_000) { _, frame in sine(250, frame) }
        harness.render(blocks: 50)
        harness.set(TransportParameter.state, 2)
        harness.render(blocks: 50)
        let held = harness.engine.read().feedFrames
        #expect(held > 50 * 64 && held <= 50 * 64 + 1024)
        harness.render(blocks: 50)
        #expect(harness.engine.read().feedFrames == held)
        #expect(harness.left.suffix(64).allSatisfy { $0 == 0 })
        harness.set(TransportParameter.state, 1)
        harness.render(blocks: 100)
        #expect(roughness(harness.left) < 3 * roughness((0..<1000).map { sine(250, $0) }))
    }

    @Test func everyPoseThatIsUsedIsStamped() {
        var harness = RenderHarness(method: .twoBand)
        harness.play(frames: 64_000, tones)
        harness.render(
            blocks: 100, time: { .init(begin: UInt64($0) * 1000 + 500, output: UInt64($0) * 1000 + 2000) },
            before: { block, inlet in
                if block % 10 == 3 { inlet.send(yaw: Float(block), pitch: 0, roll: 0, receiveTime: UInt64(block) * 1000) }
            })
        var seen: [LatencyStamp] = []
        while let stamp = harness.stamps.pop() { seen.append(stamp) }
        #expect(seen.count == 10)
        #expect(seen.allSatisfy { $0.outputTime - $0.receiveTime == 2000 && $0.blockTime - $0.receiveTime == 500 })
        let samples: [Int64] = (0..<10).map { Int64($0 * 640 + 192) }
        #expect(seen.map(\.sample) == samples)
    }

    @Test func aPeakIsNeverLostBetweenReports() {
        var harness = RenderHarness(method: .linear)
        harness.play(frames: 96_000) { channel, frame in channel == 12 && frame == 30_000 ? 0.75 : 0.01 }
        harness.render(blocks: 1000)  // The rings are not read, so that they are full.
        var microphones = harness.lines.reports.microphones.take()
        var meters = harness.lines.listeners[0].meters.take()
        var peak: Float = 0
        var ear: Float = 0
        func drain() {
            while let frame = microphones.pop() { peak = max(peak, frame.peak[12]) }
            while let frame = meters.pop() { ear = max(ear, frame.peak[0]) }
        }
        drain()
        harness.render(blocks: 50)
        drain()
        #expect(peak == 0.75)
        #expect(abs(ear - 0.75) < 1e-6)
    }

    @Test func muteAndGainAreSmoothed() {
        var harness = RenderHarness(method: .linear)
        harness.play(frames: 96_000) { _, _ in 0.5 }
        harness.render(blocks: 10)
        harness.set(ListenerParameter.gain, -6.0206)
        harness.render(blocks: 150)
        #expect(abs(harness.left.last! - 0.25) < 1e-4)
        harness.set(ListenerParameter.mute, 1)
        harness.render(blocks: 200)
        #expect(harness.left.last == 0)
        let steps = (1..<harness.left.count).map { abs(harness.left[$0] - harness.left[$0 - 1]) }
        #expect(steps.max()! < 0.001)
    }

    @Test func aSecondListenerHearsItsOwnPose() {
        var harness = RenderHarness(method: .nearest, listeners: 2)
        harness.store.set(harness.tree.index(ListenerParameter.method, 1), 0)
        let second = PoseInlet(harness.lines.listeners[1].controlPoses.take())
        var meters = harness.lines.listeners[1].meters.take()
        harness.play(frames: 6400) { channel, _ in channel == 0 ? 1 : 0 }
        second.send(yaw: -90, pitch: 0, roll: 0, receiveTime: 1)  // To the right: the left ear is in front.
        harness.render(blocks: 40)
        var peak = SIMD2<Float>.zero
        while let frame = meters.pop() { peak = frame.peak }
        #expect(peak == .init(1, 0))
        #expect(harness.left.last == 0 && harness.right.last == 0)
    }
}
