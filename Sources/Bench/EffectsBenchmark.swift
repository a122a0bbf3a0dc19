import CRealtime
import DSP
import Effects

/// Cost of each effect: noise in blocks through the effect at the settings of its benchmark row, the fastest of several runs.
struct EffectsBenchmark {
    var rate: Float = 48_000
    var block = 1024

    /// Seconds that one block takes: the shortest of some runs of 48 blocks, since whatever else the machine does only adds
    /// to it.
    func secondsPerBlock(_ kind: EffectKind, _ row: EffectKind.Benchmark) -> Double {
        var unit = EffectUnit(kind, rate: rate, largestBlock: block, response: row.response?())
        // Aligned as a renderer's rows are.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * (block + 64), alignment: 64)
            .bindMemory(to: Float.self, capacity: 4 * (block + 64))
        defer { memory.deallocate() }
        var random = SeededRandom(seed: 1)
        for i in 0..<4 * (block + 64) { memory[i] = 0.5 * Float(random.white()) }
        let (left, right) = (memory + 2 * (block + 64), memory + 3 * (block + 64))
        realtime_flush_denormals()
        let blocks = (0..<48).map(row.values)
        var least = UInt64.max
        // An effect with a response is slow enough to be measured in fewer runs.
        for _ in 0...(row.response == nil ? 60 : 12) {
            var spent: UInt64 = 0
            for values in blocks {
                rt_copy(left, memory, block)
                rt_copy(right, memory + block + 64, block)
                let begin = rt_now()
                unit.process(left, right, frames: block, values: values, tempo: 120)
                spent += rt_now() - begin
            }
            least = min(least, spent)
        }
        return Double(least) / Double(blocks.count) * 1e-9
    }

    /// Seconds of stereo sound per second of the processor.
    func speed(_ kind: EffectKind, _ row: EffectKind.Benchmark) -> Double {
        Double(block) / Double(rate) / secondsPerBlock(kind, row)
    }
}
