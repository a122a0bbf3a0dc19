import Binaural
import CRealtime
import Crossing
import Effects
import Parameters
import Rack
import Render
import RenderCore
import TestSupport
import Testing

/// Like ``RenderIsRealtimeSafe``, with every rack edited during playback.
@Suite(.serialized) struct RacksAreRealtimeSafe {
    /// A rack's control side.
    final class Control {
        private var plans: Handover<RackPlan>.Control
        private let builder = RackBuilder(rate: 48_000, largestBlock: 64)
        private var model = RackModel()

        init(_ plans: Parcel<Handover<RackPlan>.Control>) { self.plans = plans.take() }

        func edit(_ number: Int) throws {
            switch number % 4 {
            case 0, 1:
                if model.slots.count < 8 { _ = try model.add(EffectRegistry.standard.kinds[number % EffectRegistry.standard.kinds.count]) }
            case 2: if let first = model.slots.keys.min() { try model.remove(first) }
            default:
                let numbers = model.layout.slots.reversed() as [Int]
                try model.arrange(RackLayout([.rows([Array(numbers.prefix(2)), Array(numbers.dropFirst(2))])]))
            }
            builder.follow(model, enters: true)
            _ = plans.send(builder.plan())
        }

        func turn(_ number: Int) {
            for slot in model.slots.keys { builder.set(slot, number % 4, Float(number % 3) / 2) }
            if builder.tidy() { _ = plans.send(builder.plan()) }
        }
    }

    @Test func withEditsInEveryRack() throws {
        let bank = CueBank([("one", [1, 1]), ("two", .init(repeating: 0.5, count: 4000))])
        var harness = RenderHarness(method: .nearest, protection: .always, bank: bank)
        var cues = harness.lines.direct.cues.take()
        let tuner = harness.lines.direct.isTunerOn.take()
        harness.set(MetronomeParameter.tempo, 300)
        let racks = [
            Control(harness.lines.listeners[0].recordingRack), Control(harness.lines.listeners[0].outputRack),
            Control(harness.lines.direct.inputRack),
        ]
        harness.play(frames: 120_000, ends: false) { _, frame in Float(frame % 100) * 0.02 - 1 }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        defer { memory.deallocate() }
        for block in 0..<1500 {
            if block % 20 == 0 { try racks[block / 20 % 3].edit(block / 20) }
            if block % 7 == 0 { racks[block % 3].turn(block) }
            if block % 11 == 0 { _ = cues.push(CueCommand(sound: Int32(block % 3) - 1, gain: 0.1)) }
            if block % 200 == 0 {
                harness.set(MetronomeParameter.run, Float(block / 200 % 2))
                tuner.set(block % 400 == 0)
            }
            if block % 300 == 0 { harness.set(ProtectionParameter.ceiling, Float(-block / 300)) }
            realtime_enter()
            if block % 2 == 0 { harness.graph.take(left: memory, right: memory + 64, frames: 64, from: 1) }
            harness.graph.render(left: memory, right: memory + 64, frames: 64, at: .init(begin: 1, output: 2))
            realtime_exit()
            let loudest = (0..<128).map { abs(memory[$0]) }.max()!
            if !(loudest <= 1) { Issue.record("\(loudest) in block \(block)") }
        }
    }
}
