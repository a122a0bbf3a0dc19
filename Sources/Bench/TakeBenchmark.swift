import Binaural
import CRealtime
import RenderInterface

/// Cost of the sound and the motion that takes keep in memory all the time, whether one is recorded or not.
package struct TakeBenchmark {
    private static let listeners = 8
    private static let microphones = 16

    package init() {}

    package func measure() -> [BenchmarkResult] {
        func cost(ears: Bool, array: Bool) -> RenderBenchmark.Result {
            var benchmark = RenderBenchmark(method: .twoBand, listeners: Self.listeners)
            benchmark.microphones = Self.microphones
            if ears { for listener in 0..<Self.listeners { benchmark.recorded[.ears(listener)] = 2 } }
            if array { benchmark.recorded[.array] = Self.microphones }
            return benchmark.run()
        }
        let (bare, ears, all) = (cost(ears: false, array: false), cost(ears: true, array: false), cost(ears: true, array: true))
        let listener = (ears.nanosecondsPerFrame - bare.nanosecondsPerFrame) / Double(Self.listeners)
        let array = all.nanosecondsPerFrame - ears.nanosecondsPerFrame
        let copy = copy()
        return [
            BenchmarkResult(
                name: "takes: each listener's ears and head", value: listener, unit: "ns/frame", budget: 2,
                beside: 2 * copy, besideName: "a plain copy"),
            BenchmarkResult(
                name: "takes: 16 microphones", value: array, unit: "ns/frame", budget: 10,
                beside: Double(Self.microphones) * copy, besideName: "a plain copy"),
        ] + all.counts.results("takes")
    }

    /// Returns nanoseconds for the copy of one sample, block by block, into memory as large as that of takes.
    private func copy() -> Double {
        let count = 64 * Self.microphones
        let capacity = RecordedTake.capacity * Self.microphones
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        memory.initialize(repeating: 0, count: capacity)
        defer { memory.deallocate() }
        let block = [Float](repeating: 0.5, count: count)
        var least = UInt64.max
        for _ in 0..<7 {
            let begin = rt_now()
            for place in stride(from: 0, to: capacity, by: count) { (memory + place).update(from: block, count: count) }
            least = min(least, rt_now() - begin)
        }
        return Double(least) / Double(capacity)
    }
}
