import Crossing
import DSP
import Dispatch
import Effects
import Foundation
import Parameters
import Rack
import RackCore
import Synchronization
import TestSupport
import Testing

/// A rack that one thread edits while another one processes sound with it; `make test-threads` runs it under ThreadSanitizer.
@Suite(.serialized) struct RackThreadsTests {
    /// Rack of the realtime thread, and the flag that ends the thread.
    final class Sound: Sendable {
        let parcel: Parcel<LiveRack>
        let isOver = Atomic(false)
        /// Bits of the largest magnitude; those of NaN are larger than those of any number.
        let peak = Atomic<UInt32>(0)
        let ended = DispatchSemaphore(value: 0)

        init(_ rack: consuming LiveRack) { parcel = Parcel(rack) }

        /// Processes noise until the test is over.
        func run(seed: UInt64) {
            var rack = parcel.take()
            var random = SeededRandom(seed: seed)
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: 256)
            memory.initialize(repeating: 0, count: 256)
            while !isOver.load(ordering: .acquiring) {
                for i in 0..<256 { memory[i] = random.within(-0.1...0.1) }
                rack.process(memory, memory + 128, frames: 64, tempo: 120)
                for i in 0..<64 { peak.max(abs(memory[i]).bitPattern, ordering: .relaxed) }
                // The control thread gets its turn on a machine with few cores.
                stimulus(milliseconds: 0.1)
            }
            memory.deallocate()
            ended.signal()
        }
    }

    @Test func editsDuringPlayback() throws {
        let seed = SeededRandom.seed("rack edited on another thread")
        var random = SeededRandom(seed: seed)
        let kinds = EffectRegistry.standard.kinds
        let plans = Handover<RackPlan>()
        var control = plans.control
        let sound = Sound(LiveRack(plans: plans.realtime, rate: 48_000, largestBlock: 64))
        let thread = Thread { sound.run(seed: seed) }
        thread.start()
        let builder = RackBuilder(rate: 48_000, largestBlock: 64)
        var model = RackModel()
        for edit in 0..<300 {
            switch random.next() % 4 {
            case 0, 1:
                if model.slots.count < 6 { _ = try model.add(kinds[edit % kinds.count]) }
            case 2: if let number = model.slots.keys.min() { try model.remove(number) }
            default:
                let numbers = model.layout.slots
                try model.arrange(RackLayout([.rows([Array(numbers.prefix(1)), Array(numbers.dropFirst())])]))
            }
            builder.follow(model, enters: true)
            _ = control.send(builder.plan())
            for (number, slot) in model.slots {
                let parameters = slot.description.kind.parameters.filter(\.spec.isScalar)
                for (i, parameter) in parameters.enumerated() {
                    let value = random.within(parameter.spec.range)
                    builder.set(number, RackSlot.Control.first + i, parameter.spec.bounded(value))
                }
                builder.set(number, RackSlot.Control.bypass, Float(random.next() % 2))
                _ = builder.takeMeters(number)
            }
            if builder.tidy() { _ = control.send(builder.plan()) }
        }
        sound.isOver.store(true, ordering: .releasing)
        #expect(sound.ended.wait(timeout: .now() + 60) == .success, "the thread of the sound does not end")
        let peak = Float(bitPattern: sound.peak.load(ordering: .relaxed))
        // Six effects of which each may raise the noise by 20 dB.
        #expect(peak < 1e5, "seed \(seed)")
    }
}
