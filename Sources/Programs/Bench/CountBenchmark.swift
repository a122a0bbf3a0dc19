import Binaural
package import Budgets
import CBench
import CRealtime
import Crossing
import Effects
import Foundation
import Parameters
import Render
import RenderCore
import RenderInterface

/// Counts without timings: every method with three moving heads and four sounding objects, objects that are encoded onto the array,
/// objects in a room, takes of all that, every effect with moving parameters, the looper with its commands, and a self-test of the
/// counter.
package struct CountBenchmark {
    package init() {}

    package func measure() -> [BenchmarkResult] {
        let methods = InterpolationMethod.allCases.flatMap { method in
            var benchmark = RenderBenchmark(method: method, listeners: 3)
            benchmark.objects = 4
            return benchmark.run(runs: 1).counts.results(method.name)
        }
        var tilted = RenderBenchmark(method: .ringSpectral, listeners: 3)
        tilted.roll = 30
        let tilts = tilted.run(runs: 1).counts.results("ring-spectral, heads tilted")
        var encoded = RenderBenchmark(method: .ringSpectral, listeners: 3)
        (encoded.objects, encoded.isEncoded, encoded.isMoving) = (4, true, true)
        var reflected = RenderBenchmark(method: .twoBand, listeners: 3)
        (reflected.objects, reflected.isReflected, reflected.isMoving) = (4, true, true)
        let scenes = encoded.run(runs: 1).counts.results("objects in the array") + reflected.run(runs: 1).counts.results("room")
        var recorded = RenderBenchmark(method: .ringSpectral, listeners: 3)
        recorded.objects = 4
        recorded.recorded = [.ears(0): 2, .ears(1): 2, .ears(2): 2, .array: recorded.microphones]
        let takes = recorded.run(runs: 1).counts.results("takes")
        let effects = EffectRegistry.standard.kinds.flatMap { kind in
            kind.benchmarks.flatMap { EffectsBenchmark().counts(kind, $0).results("effect \($0.name)") }
        }
        return methods + tilts + scenes + takes + effects + LooperCounts().run().results("looper")
    }

    /// Tests the counter with a deliberate allocation, lock and system call.
    /// - Returns: a sentence for each that was not counted; empty when counting works.
    package func selfTest() -> [String] { RealtimeCounter.selfTest() }
}

/// Counts of a renderer with a looper that records, overdubs, undoes, changes its speed and is cleared, again and again.
struct LooperCounts {
    private static let period = 64
    private static let rate: Float = 48_000
    private static let blocks = 8000

    func run() -> RealtimeCounts {
        let tree = ParameterTree(listeners: 1)
        let store = ParameterStore(tree)
        let lines = RenderConnections(store: store, rate: Self.rate, period: Self.period, longestLoop: Int(clamping: Self.rate))
        var commands = lines.direct.looper.take()
        var graph = lines.graph.take()
        let order: [LooperCommand] = [.record, .record, .overdub, .overdub, .undo, .redo, .play, .play, .overdub, .clear]
        let input = (0..<Self.period).map { Float($0) / 256 }
        var left = [Float](repeating: 0, count: Self.period)
        var right = [Float](repeating: 0, count: Self.period)
        var counter = RealtimeCounter()
        for block in 0..<Self.blocks {
            if block % 97 == 0 { _ = commands.push(order[block / 97 % order.count]) }
            if block % 310 == 0 { store.set(tree.index(LooperParameter.half), Float(block / 310 % 2)) }
            counter.begin()
            graph.take(left: input, right: input, frames: Self.period, from: UInt64(block + 1))
            graph.render(left: &left, right: &right, frames: Self.period, at: BlockTime(begin: 0, output: 0))
            counter.end()
        }
        return counter.counts(blocks: Self.blocks)
    }
}

/// Counter of allocations, locks and system calls of the calling thread, which must not occur while rendering a block.
struct RealtimeCounter {
    private let countsSystemCalls = bench_count_system_calls() != 0
    private var allocations: UInt = 0
    private var locks: UInt = 0
    private var systemCalls: UInt = 0
    private var before: (allocations: UInt, locks: UInt, systemCalls: UInt) = (0, 0, 0)

    /// Starts counting; called directly before the block.
    mutating func begin() {
        before = (bench_allocations(), bench_locks(), bench_system_calls())
        if countsSystemCalls { bench_arm_system_calls(1) }
    }

    /// Stops counting; called directly after the block.
    mutating func end() {
        bench_arm_system_calls(0)
        allocations += bench_allocations() - before.allocations
        locks += bench_locks() - before.locks
        systemCalls += bench_system_calls() - before.systemCalls
    }

    func counts(blocks: Int) -> RealtimeCounts {
        RealtimeCounts(
            allocations: Double(allocations) / Double(blocks), locks: Double(locks) / Double(blocks),
            systemCalls: countsSystemCalls ? Double(systemCalls) / Double(blocks) : nil)
    }

    /// Counts an allocation, a lock and a system call made deliberately.
    /// - Returns: a sentence for each that went unnoticed.
    static func selfTest() -> [String] {
        var counter = RealtimeCounter()
        let lock = NSLock()
        counter.begin()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
        lock.lock()
        lock.unlock()
        _ = sched_yield()
        counter.end()
        memory.deallocate()
        let counts = counter.counts(blocks: 1)
        var problems: [String] = []
        if counts.allocations < 1 { problems.append("an allocation was not counted") }
        if counts.locks < 1 { problems.append("a lock was not counted") }
        if counts.systemCalls == 0 { problems.append("a system call was not counted") }
        return problems
    }
}

/// Allocations, locks and system calls per block, each of which has to be 0.
package struct RealtimeCounts {
    var allocations: Double
    var locks: Double
    /// Share of the blocks with a system call; nil where they cannot be counted.
    var systemCalls: Double?

    /// One result each.
    func results(_ name: String) -> [BenchmarkResult] {
        func result(_ what: String, _ value: Double) -> BenchmarkResult {
            BenchmarkResult(name: "\(name): \(what) per block", value: value, unit: "", budget: 0)
        }
        return [result("allocations", allocations), result("locks", locks)] + (systemCalls.map { [result("system calls", $0)] } ?? [])
    }
}
