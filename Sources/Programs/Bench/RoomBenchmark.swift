import Binaural
package import Budgets

/// Cost of a room around sound objects: reflections of the second order and the late field, beside the same objects in a free field.
package struct RoomBenchmark {
    private static let objects = 8

    package init() {}

    package func measure() -> [BenchmarkResult] {
        func cost(_ listeners: Int, _ objects: Int = Self.objects, isReflected: Bool) -> RenderBenchmark.Result {
            var benchmark = RenderBenchmark(method: .twoBand, listeners: listeners)
            benchmark.objects = objects
            benchmark.isReflected = isReflected
            return benchmark.run(runs: 5)
        }
        let (one, few) = (cost(1, isReflected: true), cost(1, 1, isReflected: true))
        let (bare, bareFew) = (cost(1, isReflected: false), cost(1, 1, isReflected: false))
        let (many, bareMany) = (cost(9, isReflected: true), cost(9, isReflected: false))
        let (all, first) = (one.nanosecondsPerFrame - bare.nanosecondsPerFrame, few.nanosecondsPerFrame - bareFew.nanosecondsPerFrame)
        let listeners = many.nanosecondsPerFrame - bareMany.nanosecondsPerFrame
        return [
            BenchmarkResult(name: "room: one object, one listener", value: first, unit: "ns/frame"),
            BenchmarkResult(name: "room: each further object", value: (all - first) / Double(Self.objects - 1), unit: "ns/frame"),
            BenchmarkResult(
                name: "room: each further listener of \(Self.objects) objects", value: (listeners - all) / 8, unit: "ns/frame"),
        ] + many.counts.results("room")
    }
}
