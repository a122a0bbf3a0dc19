package import Binaural
package import Budgets

/// Benchmark of the whole renderer by method: cost shared by all listeners, cost of each one, and listeners per core.
package struct MethodBenchmark {
    var methods = InterpolationMethod.allCases

    package init(methods: [InterpolationMethod] = InterpolationMethod.allCases) { self.methods = methods }

    package func measure() -> [BenchmarkResult] {
        methods.flatMap { method in
            let one = RenderBenchmark(method: method, listeners: 1).run()
            let many = RenderBenchmark(method: method, listeners: 101).run()
            let each = (many.nanosecondsPerFrame - one.nanosecondsPerFrame) / 100
            let shared = one.nanosecondsPerFrame - each
            let frame = 1e9 / 48_000
            let isTwoBand = method == .twoBand
            // The loop does for one listener what is shared here.
            let plain = isTwoBand ? ReferenceLoop().measure() : nil
            return [
                BenchmarkResult(
                    name: "\(method.name): shared by all listeners", value: shared, unit: "ns/frame", beside: plain,
                    besideName: plain == nil ? nil : Thresholds.reference),
                BenchmarkResult(
                    name: "\(method.name): each listener, head moving", value: each, unit: "ns/frame"),
                BenchmarkResult(
                    name: "\(method.name): listeners per core at period 64", value: (frame - shared) / each,
                    unit: "listeners"),
            ] + many.counts.results("\(method.name)") + (method == .ringSpectral ? tilted() : [])
        }
    }

    /// Cost of `ring-spectral` with tilted heads.
    private func tilted() -> [BenchmarkResult] {
        func cost(_ listeners: Int) -> Double {
            var benchmark = RenderBenchmark(method: .ringSpectral, listeners: listeners)
            benchmark.roll = 30
            return benchmark.run().nanosecondsPerFrame
        }
        let one = cost(1)
        let each = (cost(101) - one) / 100
        return [
            BenchmarkResult(name: "ring-spectral: shared, heads tilted", value: one - each, unit: "ns/frame"),
            BenchmarkResult(name: "ring-spectral: each listener, head tilted", value: each, unit: "ns/frame"),
        ]
    }
}
