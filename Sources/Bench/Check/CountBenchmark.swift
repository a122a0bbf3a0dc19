import Binaural
import Effects

/// Counts without timings: every method with three moving heads and four sounding objects, every effect with moving
/// parameters, the looper with its commands, and a self-test of the counter.
package struct CountBenchmark {
    package init() {}

    package func measure() -> [BenchmarkResult] {
        let methods = InterpolationMethod.allCases.flatMap { method in
            var benchmark = RenderBenchmark(method: method, listeners: 3)
            benchmark.objects = 4
            return benchmark.run(runs: 1).counts.results(method.name)
        }
        var tilted = RenderBenchmark(method: .ringSpectral, listeners: 3)
        tilted.roll = 30
        let tilts = tilted.run(runs: 1).counts.results("ring-spectral, heads tilted")
        let effects = EffectRegistry.standard.kinds.flatMap { kind in
            kind.benchmarks.flatMap { EffectsBenchmark().counts(kind, $0).results("effect \($0.name)") }
        }
        return methods + tilts + effects + LooperCounts().run().results("looper")
    }

    /// Tests the counter with a deliberate allocation, lock and system call.
    /// - Returns: a sentence for each that was not counted; empty when counting works.
    package func selfTest() -> [String] { RealtimeCounter.selfTest() }
}
