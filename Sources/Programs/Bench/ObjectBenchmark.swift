import Binaural
package import Budgets
import CBench
import CRealtime

/// Cost of a sounding object next to a two-band recording: the part shared by all listeners, and each listener's own.
package struct ObjectBenchmark {
    private static let objects = 16

    package init() {}

    package func measure() -> [BenchmarkResult] {
        func cost(_ listeners: Int, _ objects: Int, isMeasured: Bool = false) -> RenderBenchmark.Result {
            var benchmark = RenderBenchmark(method: .twoBand, listeners: listeners)
            benchmark.objects = objects
            benchmark.isMeasured = isMeasured
            return benchmark.run()
        }
        let (one, many) = (cost(1, Self.objects), cost(33, Self.objects))
        let (bareOne, bareMany) = (cost(1, 0), cost(33, 0))
        let measured = cost(1, Self.objects, isMeasured: true)
        let objects = Double(Self.objects)
        let listener = (many.nanosecondsPerFrame - one.nanosecondsPerFrame) / 32
        let bareListener = (bareMany.nanosecondsPerFrame - bareOne.nanosecondsPerFrame) / 32
        let each = (listener - bareListener) / objects
        let shared = (one.nanosecondsPerFrame - bareOne.nanosecondsPerFrame) / objects - each
        return [
            BenchmarkResult(name: "object: shared by all listeners", value: shared, unit: "ns/frame"),
            BenchmarkResult(
                name: "object: each listener, head moving", value: each, unit: "ns/frame", beside: plain(),
                besideName: "a plain C loop"),
            BenchmarkResult(name: "object: relative to a two-band listener", value: each / bareListener, unit: "times"),
            BenchmarkResult(
                name: "object: through an HRTF, head moving",
                value: (measured.nanosecondsPerFrame - bareOne.nanosecondsPerFrame) / objects, unit: "ns/frame"),
        ] + many.counts.results("object") + measured.counts.results("object through an HRTF")
    }

    /// Returns nanoseconds per frame for the two ears of one object, computed sample by sample from the formula.
    private func plain() -> Double {
        let (frames, blocks) = (64, 200)
        let sound = (0..<128).map { Float($0 &* 7919 % 1000) / 4000 }
        var state = [Float](repeating: 0, count: 4)
        var (left, right) = ([Float](repeating: 0, count: frames), [Float](repeating: 0, count: frames))
        let (delay, zero): ([Float], [Float]) = ([3.2, 3.9, 20.1, 19.4], [1.7, 1.69, 0.5, 0.52])
        var least = UInt64.max
        for _ in 0..<100 {
            let begin = rt_now()
            for _ in 0..<blocks {
                sound.withUnsafeBufferPointer {
                    bench_object($0.baseAddress! + 64, Int32(frames), &state, delay, zero, 0.85, &left, &right)
                }
            }
            least = min(least, rt_now() - begin)
        }
        return Double(least) / Double(frames * blocks)
    }
}

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
