import Binaural
package import Budgets
import CBench
import CRealtime
import DSP
import Glibc

extension BenchmarkGroup {
    /// All groups with budgets: each kernel, each method, objects, the array, rooms, takes, each effect, OSC and the start of the program.
    package static var budgeted: [BenchmarkGroup] {
        [BenchmarkGroup("kernels") { KernelBenchmark().measure() }]
            + InterpolationMethod.allCases.map { method in
                BenchmarkGroup("method \(method.name)") { MethodBenchmark(methods: [method]).measure() }
            }
            + [
                BenchmarkGroup("objects") { ObjectBenchmark().measure() },
                BenchmarkGroup("array") { EncodedObjectBenchmark().measure() },
                BenchmarkGroup("rooms") { RoomBenchmark().measure() },
                BenchmarkGroup("takes") { TakeBenchmark().measure() },
                BenchmarkGroup("effects") { EffectsTable().measure() },
                BenchmarkGroup("OSC") { try OSCBenchmark().measure() },
                BenchmarkGroup("start") { try [LatencyBenchmark.start()] },
            ]
    }
}

/// The two-band method for one listener as a plain C loop, with nothing shared: the reference for budgets.
///
/// It runs next to each measurement, so that the speed and load of the machine affect both.
package struct ReferenceLoop {
    private static let frames = 64
    private let input: [Float]

    package init() {
        var random = SeededRandom(seed: 7)
        input = (0..<(64 + 8) * 16).map { _ in Float(0.5 * random.white()) }
    }

    /// Returns nanoseconds per frame for 16 microphones, the minimum of 50 runs.
    package func measure() -> Double {
        var state = [Float](repeating: 0, count: 128)
        var left = [Float](repeating: 0, count: Self.frames)
        var right = left
        let from = (0..<64).map { Float($0 % 3) / 3 }
        let to = (0..<64).map { Float($0 % 5) / 5 }
        let (low, high) = Self.butterworth(2496 / 48_000)
        var least = UInt64.max
        realtime_flush_denormals()
        for _ in 0..<50 {
            let begin = rt_now()
            for _ in 0..<200 { bench_two_band(input, Int32(Self.frames), &state, low, high, from, to, &left, &right) }
            least = min(least, rt_now() - begin)
        }
        return Double(least) / Double(200 * Self.frames)
    }

    /// Low-pass and high-pass of second order by the bilinear transform: b0 b1 b2 a1 a2.
    private static func butterworth(_ share: Float) -> (low: [Float], high: [Float]) {
        let g = tanf(.pi * share)
        let scale = 1 / (1 + 1.41421356 * g + g * g)
        let (a1, a2) = (2 * (g * g - 1) * scale, (1 - 1.41421356 * g + g * g) * scale)
        return ([g * g * scale, 2 * g * g * scale, g * g * scale, a1, a2], [scale, -2 * scale, scale, a1, a2])
    }
}
