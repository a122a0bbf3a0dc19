import Binaural
import CRealtime
import DSP

/// Benchmark of each kernel alone, on 16 channels and blocks of 64, in nanoseconds per frame.
package struct KernelBenchmark {
    private let frames = 64
    private let channels = 16
    private let input: [Float]

    package init() {
        var random = SeededRandom(seed: 7)
        input = (0..<(64 + 8) * 16).map { _ in 0.5 * Float(random.white()) }
    }

    /// Returns the minimum of many runs, since other load only makes a run slower.
    private func time(_ body: () -> Void) -> Double {
        var least = UInt64.max
        realtime_flush_denormals()
        for _ in 0..<50 {
            let begin = rt_now()
            for _ in 0..<200 { body() }
            least = min(least, rt_now() - begin)
        }
        return Double(least) / Double(200 * frames)
    }

    package func measure() -> [BenchmarkResult] {
        var low = [Float](repeating: 0, count: 72 * 16)
        var high = low
        var rows = [Float](repeating: 0, count: 24 * 160)
        var splitter = BandSplitter()
        let coefficients = BandSplitter.Coefficients(crossover: 2496, rate: 48_000)
        var results: [BenchmarkResult] = []
        func add(_ name: String, _ body: () -> Void) {
            results.append(.init(name: "kernel: \(name)", value: time(body), unit: "ns/frame"))
        }
        add("band splitter, 16 channels") {
            splitter.process(input, channels: 16, frames: frames, with: coefficients, low: &low, high: &high)
        }
        add("deinterleave, 16 channels") {
            Deinterleave.process(input, stride: 16, channels: 16, frames: frames, rows: &rows, rowStride: 144)
        }
        add("levels, 16 channels") {
            LevelMeter.gather(input, channels: 16, frames: frames, peak: &low, energy: &high)
        }
        let weights: [Float] = [0.3, 0.7, 1]
        let ears = rows.withUnsafeBufferPointer { memory in
            (0..<3).map { memory.baseAddress! + $0 * 144 }
        }
        add("ramped mix of 3 rows") {
            RampedMix.process(rows: ears, from: weights, to: weights, count: 3, frames: frames, output: &low)
        }
        return results
    }
}
