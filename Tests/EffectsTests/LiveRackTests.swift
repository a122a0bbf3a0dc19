import Crossing
import DSP
import Effects
import Foundation
import Parameters
import Rack
import TestSupport
import Testing

/// Editing a rack during playback.
@Suite struct LiveRackTests {
    /// A rack with its control side, processed block by block.
    struct Bench: ~Copyable {
        static let block = 64
        var rack: LiveRack
        var control: Handover<RackPlan>.Control
        let builder = RackBuilder(rate: 48_000, largestBlock: block)
        var model = RackModel()
        var output: [Float] = []
        private var time = 0
        private var isRunning = false
        private let response: ResponseSpectra?

        /// - Parameter response: impulse response of every convolution.
        init(response: ResponseSpectra? = nil) {
            self.response = response
            let plans = Handover<RackPlan>()
            rack = LiveRack(plans: plans.realtime, rate: 48_000, largestBlock: Self.block)
            control = plans.control
        }

        mutating func edit(_ body: (inout RackModel) throws -> Void) rethrows {
            try body(&model)
            let response = response
            builder.follow(model, enters: isRunning) { _ in response }
            let isSent = control.send(builder.plan())
            #expect(isSent)
        }

        /// Renders samples.
        mutating func run(blocks: Int, _ samples: [Float]) {
            let start = time
            run(blocks: blocks) { samples[$0 - start] }
        }

        /// Renders `signal`, a function of the frame, and frees returned memory thirty times a second.
        mutating func run(blocks: Int, _ signal: (Int) -> Float) {
            isRunning = true
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * Self.block)
            memory.initialize(repeating: 0, count: 4 * Self.block)
            defer { memory.deallocate() }
            for block in 0..<blocks {
                for i in 0..<Self.block {
                    memory[i] = signal(time + i)
                    memory[2 * Self.block + i] = memory[i]
                }
                rack.process(memory, memory + 2 * Self.block, frames: Self.block, tempo: 120)
                output += (0..<Self.block).map { memory[$0] }
                time += Self.block
                if block % 25 == 0, builder.tidy() { _ = control.send(builder.plan()) }
            }
        }

        /// Largest third difference, in which a click stands out against a low tone.
        func click(from first: Int = 4) -> Float {
            var largest: Float = 0
            for n in first..<output.count {
                let bend: Float = output[n] - output[n - 3] + 3 * (output[n - 2] - output[n - 1])
                largest = max(largest, abs(bend))
            }
            return largest
        }
    }

    static func tone(_ n: Int) -> Float { Float(0.5 * sin(Double(n) * 2 * Double.pi * 80 / 48_000)) }

    /// A step of a hundredth of full scale has a third difference of 0.02; the tone itself has 1e-6, and the corners
    /// of fades 0.003.
    static let threshold: Float = 0.008

    /// The bypass of the whole rack passes the sound to the bit, delayed like the effects; neither switch makes an edge, and the
    /// effects continue as if there had been no bypass.
    @Test func theWholeRackIsBypassed() throws {
        func output(bypassed: Bool) throws -> [Float] {
            var bench = Bench()
            try bench.edit { model in
                _ = try model.add(.limiter)
                model.edit(try model.add(.delay)) { $0.mix = 0.5 }
                model.edit(try model.add(.equaliser)) { $0.values[1] = 2 }
            }
            bench.run(blocks: 200, Self.tone)
            if bypassed { bench.edit { $0.state.isBypassed = true } }
            bench.run(blocks: 300, Self.tone)
            bench.edit { $0.state.isBypassed = false }
            bench.run(blocks: 300, Self.tone)
            #expect(bench.click(from: 6400) < Self.threshold, "\(bench.click(from: 6400))")
            return bench.output
        }
        let (bypassed, heard) = (try output(bypassed: true), try output(bypassed: false))
        let latency = Limiter(rate: 48_000, largestBlock: Bench.block).latency
        let during = (200 + 250) * Bench.block..<(200 + 300) * Bench.block
        #expect(latency > 0 && during.allSatisfy { bypassed[$0] == Self.tone($0 - latency) })
        #expect(!during.allSatisfy { abs(heard[$0] - Self.tone($0 - latency)) < 0.01 }, "the effects are heard otherwise")
        let after = (500 + 250) * Bench.block..<(500 + 300) * Bench.block
        #expect(after.allSatisfy { bypassed[$0] == heard[$0] })
    }

    /// Another side with other effects, an order of its own and branches is heard without an edge, back and forth.
    @Test func sidesChangeWithoutAClick() throws {
        var bench = Bench()
        try bench.edit { model in
            _ = try model.add(.equaliser)
            model.edit(try model.add(.delay)) { $0.mix = 0.5 }
            var other = RackModel()
            _ = try other.add(.limiter)
            model.edit(try model.add(.gate)) { $0.mix = 1 }
            _ = try other.add(.chorus)
            _ = try other.add(.compressor)
            try other.arrange(RackLayout([.rows([[3], [1, 2]])]))
            model.state.other = other.description.places
        }
        bench.run(blocks: 200, Self.tone)
        for _ in 0..<6 {
            bench.edit { $0.restore($0.description.switched) }
            bench.run(blocks: 150, Self.tone)
        }
        #expect(bench.model.state.side == .a && bench.model.slots.count == 3)
        #expect(bench.click(from: 640) < Self.threshold, "\(bench.click(from: 640))")
    }

    /// Peaks before and after the rack, in the units of sound.
    @Test func levelsAreMeasuredBeforeAndAfter() throws {
        var bench = Bench()
        try bench.edit { model in
            let number = try model.add(.equaliser)
            model.edit(number) { $0.mix = 0.25 }
            model.edit(try model.add(.gate)) { $0.mix = 0.5 }
        }
        bench.run(blocks: 100, Self.tone)
        _ = bench.builder.takeLevels()
        bench.run(blocks: 100, Self.tone)
        let output = bench.output.suffix(100 * Bench.block).map(abs).max() ?? 0
        let levels = bench.builder.takeLevels()
        #expect(abs(levels.input - 0.5) < 1e-3 && levels.output == output, "\(levels), \(output)")
        #expect(bench.builder.takeLevels() == (0, 0))
    }

    @Test func theThresholdFindsAStep() {
        var bench = Bench()
        bench.run(blocks: 20) { Self.tone($0) + ($0 > 640 ? 0.01 : 0) }
        #expect(bench.click() > Self.threshold)
    }

    /// Random edits (adding, moving, branching, removing) make no audible edge, and once all effects are removed, the
    /// output equals the input exactly.
    @Test func noEditClicks() throws {
        let seed = SeededRandom.seed()
        var random = SeededRandom(seed: seed)
        var bench = Bench()
        // Effects that keep the shape of a low tone, and effects with latency.
        let kinds: [EffectKind] = [.delay, .chorus, .compressor, .equaliser, .limiter, .reverb, .phaser, .gate]
        bench.run(blocks: 10, Self.tone)
        for _ in 0..<60 {
            try bench.edit { model in
                switch random.next() % 5 {
                case 0, 1:
                    if model.slots.count < 10 { _ = try model.add(kinds[Int(random.next() % UInt64(kinds.count))]) }
                case 2: if let number = model.slots.keys.sorted().first { try model.remove(number) }
                case 3:
                    var numbers = model.layout.slots
                    for i in numbers.indices.reversed() { numbers.swapAt(i, Int(random.next() % UInt64(i + 1))) }
                    try model.arrange(RackLayout(numbers.map(RackLayout.Place.slot)))
                default:
                    let numbers = model.layout.slots
                    let cut = numbers.isEmpty ? 0 : Int(random.next() % UInt64(numbers.count))
                    try model.arrange(RackLayout([.rows([Array(numbers[..<cut]), Array(numbers[cut...])])]))
                }
            }
            bench.run(blocks: 1 + Int(random.next() % 60), Self.tone)
        }
        #expect(bench.click() < Self.threshold, "\(bench.click()), seed \(seed)")
        #expect(bench.output.allSatisfy { $0.isFinite && abs($0) < 8 }, "seed \(seed)")
        bench.edit { $0.load(RackDescription()) }
        bench.run(blocks: 9000, Self.tone)
        let first = bench.output.count - 640
        let passed = bench.output[first...]
        #expect(passed.indices.allSatisfy { passed[$0] == Self.tone($0) }, "seed \(seed)")
    }

    /// A removed delay keeps its echoes until they end and accepts no new input.
    @Test func removedEffectsRingOut() throws {
        var bench = Bench()
        try bench.edit { model in
            let number = try model.add(.delay)
            model.edit(number) {
                $0.values = [50, 0, 4, 0.5, 20_000, 0]
                // Equal power: sin 30 degrees is a half.
                $0.mix = 1.0 / 3
            }
        }
        bench.run(blocks: 1) { $0 == 0 ? 1 : 0 }
        try bench.edit { try $0.remove(1) }
        bench.run(blocks: 400) { $0 == 4800 ? 1 : 0 }
        // Four echoes of the first impulse, starting at half the level and halving each time; none of the second.
        for k in 1...4 {
            let echo: Float = bench.output[2400 * k] - (k == 2 ? 1 : 0)
            let wanted: Float = 1 / Float(1 << k)
            #expect(abs(echo - wanted) < 1e-4, "echo \(k)")
        }
        #expect(bench.output[12_000...].allSatisfy { $0 == 0 })
    }

    /// Edits elsewhere do not affect a slot: a delay continues unchanged when others are added before and after it.
    @Test func untouchedSlotsGoOn() throws {
        func run(_ edits: Bool) throws -> [Float] {
            var bench = Bench()
            try bench.edit { model in _ = try model.add(.delay) }
            bench.run(blocks: 40) { $0 < 64 ? Self.tone(7 * $0) : 0 }
            if edits {
                try bench.edit { model in
                    var slots = model
                    let number = try slots.add(.gate)
                    slots.edit(number) { $0.bypass = true }
                    model = slots
                    try model.arrange(RackLayout("2 1"))
                    _ = try model.add(.flanger)
                    model.edit(3) { $0.bypass = true }
                }
            }
            bench.run(blocks: 1000) { _ in 0 }
            return bench.output
        }
        let plain = try run(false)
        #expect(plain[16_800...].contains { abs($0) > 0.05 })
        let edited = try run(true)
        #expect(edited == plain)
    }

    /// A branch parallel to a slot with latency is delayed to match; the sum is the delayed input.
    @Test func rowsMeetInTime() throws {
        var bench = Bench()
        try bench.edit { model in
            let number = try model.add(.limiter)
            model.edit(number) { $0.mix = 0 }
        }
        bench.run(blocks: 50, Self.tone)
        try bench.edit { try $0.arrange(RackLayout("(1 | )")) }
        bench.run(blocks: 200, Self.tone)
        let late = bench.builder.latency
        #expect(late > 0)
        for n in bench.output.count - 640..<bench.output.count {
            #expect(abs(bench.output[n] - Self.tone(n - late)) < 1e-4)
        }
        #expect(bench.click() < Self.threshold)
    }

    @Test(arguments: [("1 (2 3 | 4) 5", 5), ("", 0), ("( | 1)", 1), ("3,1,2", 3)])
    func layoutsAreRead(_ text: String, _ count: Int) throws {
        let layout = try RackLayout(text)
        #expect(layout.slots.count == count)
        let again = try RackLayout(layout.description)
        #expect(again == layout)
    }

    @Test(arguments: ["(1", "1)", "1 | 2", "((1))", "one", "1 1", "-"])
    func wrongLayoutsAreRefused(_ text: String) {
        #expect(throws: RackError.self) { _ = try RackLayout(text) }
    }
}
