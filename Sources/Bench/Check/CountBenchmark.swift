import Binaural

/// Counts without timings: every method with three moving heads and four sounding objects, and a self-test of the
/// counter.
package struct CountBenchmark {
    package init() {}

    package func measure() -> [BenchmarkResult] {
        InterpolationMethod.allCases.flatMap { method in
            var benchmark = RenderBenchmark(method: method, listeners: 3)
            benchmark.objects = 4
            return benchmark.run(runs: 1).counts.results(method.name)
        }
    }

    /// Tests the counter with a deliberate allocation, lock and system call.
    /// - Returns: a sentence for each that was not counted; empty when counting works.
    package func selfTest() -> [String] { RealtimeCounter.selfTest() }
}
