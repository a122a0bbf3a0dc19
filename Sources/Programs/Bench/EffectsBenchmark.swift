import CRealtime
import DSP
import Effects

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
