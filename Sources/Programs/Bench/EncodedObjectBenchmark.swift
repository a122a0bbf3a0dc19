import Binaural
package import Budgets

/// Cost of sound objects that are encoded onto the microphone array, beside a recording by the method `ring-spectral`.
package struct EncodedObjectBenchmark {
    private static let objects = 32

    package init() {}

    package func measure() -> [BenchmarkResult] {
        func cost(_ listeners: Int, _ objects: Int, isMoving: Bool = false) -> RenderBenchmark.Result {
            var benchmark = RenderBenchmark(method: .ringSpectral, listeners: listeners)
            benchmark.objects = objects
            benchmark.isEncoded = true
            benchmark.isMoving = isMoving
            return benchmark.run(runs: 5)
        }
        let (bare, one, many) = (cost(1, 0), cost(1, Self.objects), cost(9, Self.objects))
        let moving = cost(1, Self.objects, isMoving: true)
        func each(_ result: RenderBenchmark.Result) -> Double {
            (result.nanosecondsPerFrame - bare.nanosecondsPerFrame) / Double(Self.objects)
        }
        return [
            BenchmarkResult(name: "array: each object at rest, on average", value: each(one), unit: "ns/frame"),
            BenchmarkResult(name: "array: each moving object, on average", value: each(moving), unit: "ns/frame"),
            BenchmarkResult(
                name: "array: each further listener of \(Self.objects) objects",
                value: (many.nanosecondsPerFrame - one.nanosecondsPerFrame) / 8, unit: "ns/frame"),
        ] + moving.counts.results("array, objects moving")
    }
}
