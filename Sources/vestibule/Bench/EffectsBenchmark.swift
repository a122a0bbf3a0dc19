import CRealtime
import Effects

/// What each effect costs: noise through it at what it begins with, in blocks, the best of some runs.
struct EffectsBenchmark {
    var rate: Float = 48_000
    var block = 1024

    /// Seconds that one block takes, the least of `runs` runs of 48 blocks: whatever else the machine does only
    /// adds to it.
    func secondsPerBlock<Kind: Effect & ~Copyable>(
        _: Kind.Type, runs: Int = 60, _ change: (inout Kind.Settings) -> Void = { _ in }
    ) -> Double {
        var effect = Kind(rate: rate, largestBlock: block)
        var settings = Kind.Settings()
        change(&settings)
        return secondsPerBlock(&effect, settings, runs: runs)
    }

    func secondsPerBlock<Kind: Effect & ~Copyable>(
        _ effect: inout Kind, _ settings: Kind.Settings, runs: Int
    ) -> Double {
        secondsPerBlock(&effect, runs: runs) { _ in settings }
    }

    /// - Parameter settings: of each block, by its number.
    func secondsPerBlock<Kind: Effect & ~Copyable>(
        _ effect: inout Kind, runs: Int, _ settings: (Int) -> Kind.Settings
    ) -> Double {
        // Aligned as a renderer's rows are.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * (block + 64), alignment: 64)
            .bindMemory(to: Float.self, capacity: 4 * (block + 64))
        defer { memory.deallocate() }
        var seed: UInt32 = 1
        for i in 0..<4 * (block + 64) {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            memory[i] = Float(Int32(bitPattern: seed)) / 4e9
        }
        let (left, right) = (memory + 2 * (block + 64), memory + 3 * (block + 64))
        realtime_flush_denormals()
        let blocks = 48
        var least = UInt64.max
        for _ in 0...runs {
            var spent: UInt64 = 0
            for number in 0..<blocks {
                let settings = settings(number)
                rt_copy(left, memory, block)
                rt_copy(right, memory + block + 64, block)
                let begin = rt_now()
                effect.process(left, right, frames: block, settings: settings)
                spent += rt_now() - begin
            }
            least = min(least, spent)
        }
        return Double(least) / Double(blocks) * 1e-9
    }

    /// Seconds of stereo sound per second of the processor.
    func speed<Kind: Effect & ~Copyable>(
        _ kind: Kind.Type, _ change: (inout Kind.Settings) -> Void = { _ in }
    ) -> Double {
        Double(block) / Double(rate) / secondsPerBlock(kind, runs: 60, change)
    }
}
