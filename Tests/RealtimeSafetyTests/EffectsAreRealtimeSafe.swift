import CRealtime
import DSP
import Effects
import Foundation
import Parameters
import Rack
import RackCore
import TestSupport
import Testing

/// Under RealtimeSanitizer (`make test-realtime`) any allocation, lock or system call in an effect ends the process.
@Suite(.serialized) struct EffectsAreRealtimeSafe {
    /// Every effect of the registry, in each variant that a parameter builds.
    static let variants = EffectRegistry.standard.kinds.flatMap { kind in
        let slot = RackDescription.Slot(kind)
        return [slot]
            + slot.values.indices.filter { kind.parameters[$0].rebuilds }.map { place in
                var variant = slot
                variant.values[place] = kind.parameters[place].spec.range.upperBound
                return variant
            }
    }

    /// With every parameter, the bypass, the mix, the tempo and the block size changing.
    @Test(arguments: variants)
    func withEveryParameterJumping(_ description: RackDescription.Slot) {
        let kind = description.kind
        var random = SeededRandom("\(kind.name) under RealtimeSanitizer")
        let response = (0..<5000).map { _ in 0.01 * Float(random.white()) }
        var slot = RackSlot(
            description, rate: 48_000, largestBlock: 128, response: ResponseSpectra(left: response, right: response))
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
        memory.initialize(repeating: 0, count: 512)
        defer { memory.deallocate() }
        let specs = kind.parameters.map(\.spec).filter(\.isScalar)
        for block in 0..<400 {
            // Between two blocks the control side may allocate and lock.
            let frames = [128, 64, 100, 1, 17][block % 5]
            for i in 0..<512 { memory[i] = 0.5 * Float(random.white()) }
            for (i, spec) in specs.enumerated() where block % 3 == 0 {
                slot.set(i, spec.bounded(Float.random(in: spec.range, using: &random)))
            }
            slot.set(bypass: block % 50 > 40)
            slot.set(mix: block % 70 > 50 ? 0.5 : 1)
            let tempo = Float.random(in: 20...300, using: &random)
            realtime_enter()
            slot.process(memory, memory + 256, frames: frames, tempo: tempo)
            realtime_exit()
            for i in 0..<frames where !memory[i].isFinite { Issue.record("not finite in block \(block)") }
        }
    }

    @Test func rackOfAll() {
        let slots = EffectRegistry.standard.kinds.map { RackDescription.Slot($0) }
        let places: [RackDescription.Place] = [.branches([Array(slots[..<5]), Array(slots[5...])], mix: [0.5, 0.5])]
        var rack = Rack(.init(places), rate: 48_000, largestBlock: 128, ceiling: -1)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
        memory.initialize(repeating: 0, count: 512)
        defer { memory.deallocate() }
        var random = SeededRandom(fixed: 1)
        for _ in 0..<300 {
            for i in 0..<512 { memory[i] = 0.5 * Float(random.white()) }
            realtime_enter()
            rack.process(memory, memory + 256, frames: 128)
            realtime_exit()
            for i in 0..<128 where abs(memory[i]) > 0.9 { Issue.record("above the ceiling") }
        }
    }
}
