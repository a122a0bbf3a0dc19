import DSP
import Effects
import Foundation
import Parameters
import Rack
import RackCore
import TestSupport
import Testing

@Suite struct RackTests {
    /// Every parameter is declared with a title that fits the panel and an initial value inside its range.
    @Test(arguments: EffectRegistry.standard.kinds)
    func parametersAreDeclared(_ kind: EffectKind) {
        let numbers = kind.parameters.filter { $0.spec.isScalar }
        #expect(numbers.count == kind.numbers)
        #expect(numbers.map(\.spec.initial) == kind.initial.map { .number($0) })
        #expect(Set(kind.parameters.map(\.name)).count == kind.parameters.count)
        #expect(kind.parameters.prefix(numbers.count).allSatisfy { $0.spec.isScalar })
        for parameter in kind.parameters {
            #expect(parameter.spec.title.count < 24)
            for number in parameter.spec.initial.numbers { #expect(parameter.spec.range.contains(number)) }
            if case .number(logarithmic: true) = parameter.spec.kind { #expect(parameter.spec.range.lowerBound > 0) }
        }
        #expect(EffectRegistry.standard.kind(named: kind.name) == kind)
    }

    func run(_ rack: inout Rack, _ sound: Sound, block: Int = 128) -> Sound {
        var result = sound
        var left = [Float](repeating: 0, count: block + 16)
        var right = left
        for at in stride(from: 0, to: sound.frames - block + 1, by: block) {
            for i in 0..<block { (left[i], right[i]) = (sound.left[at + i], sound.right[at + i]) }
            rack.process(&left, &right, frames: block)
            for i in 0..<block { (result.left[at + i], result.right[at + i]) = (left[i], right[i]) }
        }
        return result
    }

    @Test(arguments: EffectRegistry.standard.kinds)
    func bypassIsBitExact(_ kind: EffectKind) {
        var slot = RackDescription.Slot(kind)
        slot.bypass = true
        var rack = Rack(.init([.slot(slot)]), rate: 48_000, largestBlock: 128, ceiling: 0)
        let noise = Sound.noise(4096, level: 0.3)
        let late = rack.latency
        let output = run(&rack, noise)
        for n in late..<4096 { #expect(output.left[n] == noise.left[n - late] && output.right[n] == noise.right[n - late]) }
    }

    /// Bypassed during playback, a delay rings out and then leaves nothing behind.
    @Test func bypassRingsOut() {
        var settings = RackDescription.Slot(.delay)
        settings.values = [50, 0, 4, 0.5, 20_000, 0]
        settings.mix = 1
        var slot = RackSlot(settings, rate: 48_000, largestBlock: 64)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 256)
        memory.initialize(repeating: 0, count: 256)
        defer { memory.deallocate() }
        var heard: [Float] = []
        for block in 0..<300 {
            for i in 0..<64 { (memory[i], memory[128 + i]) = (block == 0 && i == 0 ? 1 : 0, 0) }
            if block == 1 { slot.set(bypass: true) }
            slot.process(memory, memory + 128, frames: 64, tempo: 120)
            heard += (0..<64).map { memory[$0] }
        }
        for k in 1...4 { #expect(abs(heard[2400 * k] - powf2(1 - k)) < 1e-6) }
    }

    private func powf2(_ exponent: Int) -> Float { exponent == 0 ? 1 : 0.5 * powf2(exponent + 1) }

    /// Branches with different latencies are aligned.
    @Test func branchesAreAligned() {
        var overdrive = RackDescription.Slot(.overdrive)
        overdrive.mix = 0
        let place = RackDescription.Place.branches([[], [overdrive]], mix: [0.5, 0.5])
        var rack = Rack(.init([place]), rate: 48_000, largestBlock: 128, ceiling: 0)
        let noise = Sound.noise(4096, level: 0.3)
        let late = rack.latency
        let output = run(&rack, noise)
        for n in late..<4096 { #expect(abs(output.left[n] - noise.left[n - late]) < 1e-6) }
    }

    @Test func ceilingHolds() {
        var overdrive = RackDescription.Slot(.overdrive)
        overdrive.values[3] = 12
        overdrive.values[0] = 40
        var rack = Rack(.init([.slot(overdrive)]), rate: 48_000, largestBlock: 128, ceiling: -6)
        let output = run(&rack, .tone(300, 12_800))
        #expect(output.left.allSatisfy { abs($0) < 0.502 })
        #expect(output.left.contains { abs($0) > 0.45 })
    }

    /// Every parameter of every effect jumps anywhere in its range at every block: the output is finite, has a bounded
    /// level and no click: no sample is far from the parabola through its neighbours, as in the input, a low tone that
    /// fades in.
    /// SEED=random draws other jumps in each run; SEED=N repeats those of a run.
    @Test(arguments: EffectRegistry.standard.kinds)
    func jumpingParametersStayFiniteAndClickFree(_ kind: EffectKind) {
        let seed = SeededRandom.seed("\(kind.name) jumps")
        var random = SeededRandom(seed: seed)
        var unit = EffectUnit(kind, rate: 48_000, largestBlock: 128)
        let specs = kind.parameters.map(\.spec).filter(\.isScalar)
        var values = kind.initial
        let block = 128
        // Eight bands of up to 18 dB each may coincide at the tone. An equaliser is linear, so the tone may be quiet.
        let level: Float = kind == .equaliser ? 0.025 : 0.1
        var tone = Sound.tone(80, 96_000, level: Double(level))
        // Faded in: the start of a tone is an edge, which filters may amplify.
        for n in 0..<960 { tone.left[n] *= 0.5 - 0.5 * cosf(.pi * Float(n) / 960) }
        tone.right = tone.left
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * block)
        memory.initialize(repeating: 0, count: 4 * block)
        defer { memory.deallocate() }
        var output: [Float] = []
        for at in stride(from: 0, to: tone.frames - block, by: block) {
            for i in 0..<block { (memory[i], memory[2 * block + i]) = (tone.left[at + i], tone.right[at + i]) }
            for (i, spec) in specs.enumerated() {
                values[i] = spec.bounded(random.within(spec.range))
                // Parameters that change the waveform on purpose are constant: drive and curve.
                if kind == .overdrive && i < 2 { values[i] = kind.initial[i] }
            }
            unit.process(
                memory, memory + 2 * block, frames: block, values: values, tempo: random.within(20...300))
            for i in 0..<block {
                #expect(memory[i].isFinite && memory[2 * block + i].isFinite, "\(kind.name), seed \(seed)")
                output.append(memory[i])
            }
        }
        let loudest = output.reduce(0) { max($0, abs($1)) }
        #expect(loudest < 20, "\(kind.name), seed \(seed)")
        var click: Float = 0
        for n in 4..<output.count {
            let bend = output[n] - 3 * output[n - 1] + 3 * output[n - 2] - output[n - 3]
            click = max(click, abs(bend))
        }
        #expect(click < Self.clickThreshold(kind) * level / 0.1, "\(kind.name): \(click), seed \(seed)")
    }

    /// Third difference that counts as a click, for a tone of 0.1 whose own is 1e-7 and whose steps would be 0.1.
    static func clickThreshold(_ kind: EffectKind) -> Float {
        switch kind {
        case .limiter, .reverb, .delay, .compressor: 0.01
        default: 0.005
        }
    }

    /// Silence after sound takes as little time to process as sound, and the output becomes silent.
    @Test(arguments: EffectRegistry.standard.kinds)
    func fallsSilent(_ kind: EffectKind) {
        var unit = EffectUnit(kind, rate: 48_000, largestBlock: 512)
        var values = kind.initial
        if kind == .reverb { values[0] = 0.3 }
        let tail = unit.tail(values, tempo: 120)
        var left = Sound.noise(512 + 64, level: 0.5).left
        var right = left
        unit.process(&left, &right, frames: 512, values: values, tempo: 120)
        var frames = 0
        while frames < tail + 1024 {
            for i in 0..<512 { (left[i], right[i]) = (0, 0) }
            unit.process(&left, &right, frames: 512, values: values, tempo: 120)
            frames += 512
        }
        #expect(left.prefix(512).allSatisfy { abs($0) < 2e-3 })
    }
}
