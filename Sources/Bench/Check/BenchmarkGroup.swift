import Binaural

/// A group of results measured together, between two runs of the reference loop.
package struct BenchmarkGroup {
    package let name: String
    package let measure: () throws -> [BenchmarkResult]

    package init(_ name: String, _ measure: @escaping () throws -> [BenchmarkResult]) {
        (self.name, self.measure) = (name, measure)
    }

    /// All groups with budgets: each kernel, each method, objects, takes, each effect, OSC and the start of the program.
    package static var budgeted: [BenchmarkGroup] {
        [BenchmarkGroup("kernels") { KernelBenchmark().measure() }]
            + InterpolationMethod.allCases.map { method in
                BenchmarkGroup("method \(method.name)") { MethodBenchmark(methods: [method]).measure() }
            }
            + [
                BenchmarkGroup("objects") { ObjectBenchmark().measure() },
                BenchmarkGroup("takes") { TakeBenchmark().measure() },
                BenchmarkGroup("effects") { EffectsTable().measure() },
                BenchmarkGroup("OSC") { try OSCBenchmark().measure() },
                BenchmarkGroup("start") { try [LatencyBenchmark.start()] },
            ]
    }
}
