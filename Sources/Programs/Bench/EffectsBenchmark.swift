package import Budgets
import CRealtime
import DSP
import Effects
import Foundation

/// Cost of each effect: noise in blocks through the effect at the settings of its benchmark row, the fastest of several runs.
struct EffectsBenchmark {
    var rate: Float = 48_000
    var block = 1024

    /// Seconds that one block takes: the shortest of some runs of 48 blocks, since other load of the machine only adds
    /// to it.
    func secondsPerBlock(_ kind: EffectKind, _ row: EffectKind.Benchmark) -> Double {
        var least = UInt64.max
        var spent: UInt64 = 0
        // An effect with a response is slow enough to be measured in fewer runs.
        process(kind, row, runs: row.response == nil ? 61 : 13) {
            spent = 0
        } block: { body in
            let begin = rt_now()
            body()
            spent += rt_now() - begin
        } ended: {
            least = min(least, spent)
        }
        return Double(least) / Double(Self.blocks) * 1e-9
    }

    /// Allocations, locks and system calls per block while the parameters move as in the benchmark row.
    func counts(_ kind: EffectKind, _ row: EffectKind.Benchmark) -> RealtimeCounts {
        var counter = RealtimeCounter()
        process(kind, row, runs: 2) {
        } block: { body in
            counter.begin()
            body()
            counter.end()
        } ended: {
        }
        return counter.counts(blocks: 2 * Self.blocks)
    }

    /// Blocks of a run.
    private static let blocks = 48

    /// Feeds runs of noise to a new effect; `block` has to call its argument, which processes one block.
    private func process(
        _ kind: EffectKind, _ row: EffectKind.Benchmark, runs: Int, begun: () -> Void, block measure: (() -> Void) -> Void,
        ended: () -> Void
    ) {
        var unit = EffectUnit(kind, rate: rate, largestBlock: block, values: row.values(0), response: row.response?())
        // Aligned as a renderer's rows are.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * (block + 64), alignment: 64)
            .bindMemory(to: Float.self, capacity: 4 * (block + 64))
        defer { memory.deallocate() }
        var random = SeededRandom(seed: 1)
        for i in 0..<4 * (block + 64) { memory[i] = 0.5 * Float(random.white()) }
        let (left, right) = (memory + 2 * (block + 64), memory + 3 * (block + 64))
        realtime_flush_denormals()
        let values = (0..<Self.blocks).map(row.values)
        for _ in 0..<runs {
            begun()
            for value in values {
                rt_copy(left, memory, block)
                rt_copy(right, memory + block + 64, block)
                measure { unit.process(left, right, frames: block, values: value, tempo: 120) }
            }
            ended()
        }
    }

    /// Seconds of stereo sound per second of the processor.
    func speed(_ kind: EffectKind, _ row: EffectKind.Benchmark) -> Double {
        Double(block) / Double(rate) / secondsPerBlock(kind, row)
    }
}

/// Table of the cost of each effect, beside the fastest comparable program measured on a machine of this class.
package struct EffectsTable {
    private struct Row {
        let name: String
        /// Seconds of sound per second of processor time.
        let speed: Double
        /// Speed of the fastest comparable program; nil where none was measured.
        let peer: Double?
    }

    package init() {}

    package func show() {
        print("Seconds of stereo sound at 48 kHz per second of one processor core, in blocks of 1024:")
        print("  effect                           speed      peer   ratio")
        for row in rows() {
            let peer = row.peer.map { String(format: "%9.0f %7.2f", $0, row.speed / $0) } ?? ""
            print(String(format: "  %@ %9.0f ", row.name.padding(toLength: 28, withPad: " ", startingAt: 0), row.speed) + peer)
        }
        let milliseconds = ["delay", "tremolo", "flanger"].map { name in
            1000 * (EffectRegistry.standard.kind(named: name).map { EffectsBenchmark().secondsPerBlock($0, $0.benchmarks[0]) } ?? 0)
        }
        print("\nMilliseconds for a stereo block of 1024 frames (21.3 ms of sound; the budget is 0.05 for all three):")
        print(
            String(
                format: "  delay %.4f   tremolo %.4f   flanger %.4f   all three %.4f", milliseconds[0], milliseconds[1],
                milliseconds[2], milliseconds.reduce(0, +)))
    }

    /// The same as times per block, for the whole benchmark.
    package func measure() -> [BenchmarkResult] {
        rows().map { row in
            var result = BenchmarkResult(
                name: "effect: \(row.name), stereo block of 1024", value: microseconds(row.speed), unit: "us")
            result.beside = row.peer.map(microseconds)
            result.besideName = row.peer.map { _ in "the fastest peer measured" }
            return result
        }
    }

    private func microseconds(_ speed: Double) -> Double { 1024 / 48_000 / speed * 1e6 }

    private func rows() -> [Row] {
        EffectRegistry.standard.kinds.flatMap { kind in
            kind.benchmarks.map { Row(name: $0.name, speed: EffectsBenchmark().speed(kind, $0), peer: $0.peer) }
        }
    }
}
