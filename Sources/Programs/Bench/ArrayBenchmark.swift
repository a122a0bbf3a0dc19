import Binaural
package import Budgets
import CRealtime

/// Cost of many sound objects for many listeners, encoded onto the virtual microphone array and rendered for each listener.
package struct ArrayBenchmark {
    private let objects: Int
    private let listeners: Int

    /// - Parameter listeners: more than one; beyond a few dozens, direct objects are measured for fewer and extrapolated.
    package init(objects: Int = 128, listeners: Int = 500) {
        self.objects = objects
        self.listeners = listeners
    }

    package func measure() -> [BenchmarkResult] {
        let name = { (isEncoded: Bool) in isEncoded ? "array" : "direct" }
        var results: [BenchmarkResult] = []
        for isEncoded in [true, false] {
            func cost(_ listeners: Int, _ objects: Int, isMoving: Bool = false) -> RenderBenchmark.Result {
                var benchmark = RenderBenchmark(method: .ringSpectral, listeners: listeners)
                benchmark.objects = objects
                benchmark.isEncoded = isEncoded
                benchmark.isMoving = isMoving
                return benchmark.run(runs: 3)
            }
            let (one, half, moving) = (cost(1, objects), cost(1, objects / 2), cost(1, objects, isMoving: true))
            let many = cost(17, objects)
            let (first, each) = (one.nanosecondsPerFrame, (many.nanosecondsPerFrame - one.nanosecondsPerFrame) / 16)
            let all = isEncoded ? cost(listeners, objects).nanosecondsPerFrame : first + Double(listeners - 1) * each
            let how = isEncoded ? "" : ", from one and each further listener"
            results +=
                [
                    BenchmarkResult(
                        name: "\(name(isEncoded)): \(objects) objects, \(listeners) listeners\(how)", value: all, unit: "ns/frame"),
                    BenchmarkResult(name: "\(name(isEncoded)): the same of one core at 48 kHz", value: all * 48e-6 * 100, unit: "%"),
                    BenchmarkResult(
                        name: "\(name(isEncoded)): each further object, one listener",
                        value: (first - half.nanosecondsPerFrame) / Double(objects - objects / 2), unit: "ns/frame"),
                    BenchmarkResult(
                        name: "\(name(isEncoded)): each moving object, one listener, on average",
                        value: moving.nanosecondsPerFrame / Double(objects), unit: "ns/frame"),
                    BenchmarkResult(name: "\(name(isEncoded)): each further listener, \(objects) objects", value: each, unit: "ns/frame"),
                ] + moving.counts.results(name(isEncoded))
        }
        return results
    }
}
