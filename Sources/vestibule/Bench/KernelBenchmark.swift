import Binaural
import CBench
import CRealtime
import DSP
import Glibc

/// Each kernel alone, on 16 channels and blocks of 64: nanoseconds per frame.
struct KernelBenchmark {
    private let frames = 64
    private let channels = 16
    private let input: [Float]

    init() {
        var seed: UInt32 = 7
        input = (0..<(64 + 8) * 16).map { _ in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return Float(Int32(bitPattern: seed)) / 4e9
        }
    }

    /// The least of many runs: whatever else the machine does only adds to it.
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

    func measure() -> [Measurement] {
        var low = [Float](repeating: 0, count: 72 * 16)
        var high = low
        var rows = [Float](repeating: 0, count: 24 * 160)
        var splitter = BandSplitter()
        let coefficients = BandSplitter.Coefficients(crossover: 2496, rate: 48_000)
        var results: [Measurement] = []
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
            Levels.gather(input, channels: 16, frames: frames, peak: &low, energy: &high)
        }
        let weights: [Float] = [0.3, 0.7, 1]
        let ears = rows.withUnsafeBufferPointer { memory in
            (0..<3).map { memory.baseAddress! + $0 * 144 }
        }
        add("ramped mix of 3 rows") {
            RampedMix.process(rows: ears, from: weights, to: weights, count: 3, frames: frames, output: &low)
        }
        results.append(reference())
        return results
    }

    /// The same job for one listener as a plain C loop.
    static var plainC: String { "plain C loop, one listener, nothing shared" }

    private func reference() -> Measurement {
        var state = [Float](repeating: 0, count: 128)
        var left = [Float](repeating: 0, count: frames)
        var right = left
        let from = (0..<64).map { Float($0 % 3) / 3 }
        let to = (0..<64).map { Float($0 % 5) / 5 }
        let (low, high) = butterworth(2496 / 48_000)
        let value = time {
            bench_two_band(input, Int32(frames), &state, low, high, from, to, &left, &right)
        }
        return .init(name: "beside it: two-band as a \(Self.plainC)", value: value, unit: "ns/frame")
    }

    /// Low- and high-pass of second order by the bilinear transform: b0 b1 b2 a1 a2.
    private func butterworth(_ share: Float) -> (low: [Float], high: [Float]) {
        let g = tanf(.pi * share)
        let scale = 1 / (1 + 1.41421356 * g + g * g)
        let (a1, a2) = (2 * (g * g - 1) * scale, (1 - 1.41421356 * g + g * g) * scale)
        return ([g * g * scale, 2 * g * g * scale, g * g * scale, a1, a2], [scale, -2 * scale, scale, a1, a2])
    }
}
