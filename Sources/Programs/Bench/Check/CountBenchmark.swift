import Binaural
package import Budgets
import Effects
import RenderInterface

/// Counts without timings: every method with three moving heads and four sounding objects, objects that are encoded onto the array,
/// objects in a room, takes of all that, every effect with moving parameters, the looper with its commands, and a self-test of the
/// counter.
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
        var encoded = RenderBenchmark(method: .ringSpectral, listeners: 3)
        (encoded.objects, encoded.isEncoded, encoded.isMoving) = (4, true, true)
        var reflected = RenderBenchmark(method: .twoBand, listeners: 3)
        (reflected.objects, reflected.isReflected, reflected.isMoving) = (4, true, true)
        let scenes = encoded.run(runs: 1).counts.results("objects in the array") + reflected.run(runs: 1).counts.results("room")
        var recorded = RenderBenchmark(method: .ringSpectral, listeners: 3)
        recorded.objects = 4
        recorded.recorded = [.ears(0): 2, .ears(1): 2, .ears(2): 2, .array: recorded.microphones]
        let takes = recorded.run(runs: 1).counts.results("takes")
        let effects = EffectRegistry.standard.kinds.flatMap { kind in
            kind.benchmarks.flatMap { EffectsBenchmark().counts(kind, $0).results("effect \($0.name)") }
        }
        return methods + tilts + scenes + takes + effects + LooperCounts().run().results("looper")
    }

    /// Tests the counter with a deliberate allocation, lock and system call.
    /// - Returns: a sentence for each that was not counted; empty when counting works.
    package func selfTest() -> [String] { RealtimeCounter.selfTest() }
}
