import Binaural
import Crossing
import Effects
import Parameters
import Rack
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// Processing after the ears: racks, level, limiter.
@Suite struct OutputChainTests {
    /// Renders a constant 0.5 in every microphone, with `rack` on the recording or on the output.
    func render(
        gain: Float = 0, protection: Protection = .none, ceiling: Float = -1, recording: RackDescription? = nil,
        output: RackDescription? = nil
    ) -> (level: Float, latency: Int32) {
        var harness = RenderHarness(method: .nearest, protection: protection)
        func send(_ rack: RackDescription?, _ plans: Parcel<Handover<RackPlan>.Control>) -> Parcel<Handover<RackPlan>.Control>? {
            guard let rack else { return nil }
            var control = plans.take()
            let builder = RackBuilder(rate: 48_000, largestBlock: 64)
            builder.follow(RackModel(rack), enters: false)
            let isSent = control.send(builder.plan())
            #expect(isSent)
            return Parcel(control)
        }
        let lines = harness.lines.listeners[0]
        let kept = [send(recording, lines.recordingRack), send(output, lines.outputRack)]
        harness.set(ListenerParameter.gain, gain)
        harness.set(ProtectionParameter.ceiling, ceiling)
        var meters = lines.meters.take()
        harness.play(frames: 48_000, ends: false) { _, _ in 0.5 }
        harness.render(blocks: 500)
        var latency: Int32 = 0
        while let frame = meters.pop() { latency = frame.latency }
        _ = kept
        return (harness.left.last!, latency)
    }

    func overdriven() -> RackDescription {
        var slot = RackDescription.Slot(.gate)
        // The gate closes below -3 dB.
        slot.values[0] = -3
        slot.values[5] = -90
        return RackDescription([.slot(slot)])
    }

    @Test func withoutAnythingTheSoundPasses() {
        let (level, latency) = render()
        #expect(level == 0.5 && latency == 0)
    }

    /// The level follows the rack, so that dynamics do not depend on the volume.
    @Test func theLevelIsLast() {
        #expect(render(gain: 12, output: overdriven()).level == 0)
        #expect(render(gain: 12).level > 1.9)
    }

    @Test func bothRacksAreHeard() {
        #expect(render(recording: overdriven()).level == 0)
        #expect(render(output: overdriven()).level == 0)
    }

    @Test(arguments: [-1, -6, -24] as [Float])
    func protectionHolds(_ ceiling: Float) {
        let (level, latency) = render(gain: 12, protection: .always, ceiling: ceiling)
        let wanted: Float = ceiling == -1 ? 0.8913 : ceiling == -6 ? 0.5012 : 0.0631
        #expect(abs(level / wanted - 1) < 0.001)
        #expect(latency > 0)
        #expect(render(gain: 12, protection: .none, ceiling: ceiling).level > 1.9)
    }

    /// The limiter is active whether or not a client listens, so that meters show what is heard, beside the reduction.
    @Test func metersShowTheSoundAfterTheLimiter() {
        var harness = RenderHarness(method: .nearest, protection: .always)
        let gate = harness.lines.listeners[0].isHeard.take()
        var meters = harness.lines.listeners[0].meters.take()
        harness.set(ListenerParameter.gain, 12)
        harness.play(frames: 48_000, ends: false) { _, _ in 0.5 }
        var found: [ListenerFrame] = []
        for isHeard in [false, true, false] {
            gate.set(isHeard)
            harness.render(blocks: 200)
            var newest: ListenerFrame?
            while let frame = meters.pop() { newest = frame }
            if let newest { found.append(newest) }
            #expect(abs(harness.left.last! / 0.8913 - 1) < 0.001)
        }
        #expect(found.count == 3)
        for frame in found {
            #expect(abs(frame.peak[0] / 0.8913 - 1) < 0.001 && abs(frame.peak[1] / 0.8913 - 1) < 0.001)
            // 0.5, raised by 12 dB, is 5.98 dB above full scale.
            #expect(abs(frame.reduction - 6.98) < 0.02)
            #expect(frame.latency == Int32(harness.lines.protectionLatency))
        }
    }

    @Test func latencyIsReported() {
        var slot = RackDescription.Slot(.overdrive)
        slot.bypass = true
        let rack = RackDescription([.slot(slot)])
        let one = render(recording: rack).latency
        #expect(one > 0)
        #expect(render(recording: rack, output: rack).latency == 2 * one)
    }

    /// The renderer knows no parameters, so it has a figure of its own.
    @Test func theLowestCeilingIsThatOfTheParameter() {
        #expect(OutputChain.lowestCeiling == ProtectionParameter.ceilings.lowerBound)
        let limiter = EffectRegistry.standard.kind(named: "limiter")
        let ceiling = limiter?.parameters.first { $0.name == "ceiling" }
        #expect(ceiling.map { ProtectionParameter.ceilings.lowerBound >= $0.spec.range.lowerBound } == true)
    }
}
