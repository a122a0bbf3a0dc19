import Budgets
import CRealtime

/// Times kernels one after another, each for a block of sound.
struct KernelTimer {
    /// Frames of the block.
    let frames: Int
    /// Calls in a run.
    let rounds: Int
    private(set) var results: [BenchmarkResult] = []

    init(frames: Int, rounds: Int = 200) { (self.frames, self.rounds) = (frames, rounds) }

    /// Keeps the minimum of many runs, since other load only makes a run slower.
    mutating func time(_ name: String, _ body: () -> Void) {
        var least = UInt64.max
        realtime_flush_denormals()
        for _ in 0..<50 {
            let begin = rt_now()
            for _ in 0..<rounds { body() }
            least = min(least, rt_now() - begin)
        }
        results.append(.init(name: "kernel: \(name)", value: Double(least) / Double(rounds * frames), unit: "ns/frame"))
    }
}
