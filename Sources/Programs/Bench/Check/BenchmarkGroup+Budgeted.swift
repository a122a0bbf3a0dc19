import Binaural
package import Budgets

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
