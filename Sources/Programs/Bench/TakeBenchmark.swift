import Binaural
package import Budgets
import CRealtime
import Crossing
import RenderInterface

/// Cost of copying the sound that takes keep in memory, in every block and whether a take is recorded or not.
package struct TakeBenchmark {
    private static let microphones = 16
    private static let period = 64
    /// Frames of a run.
    private static let frames = 1 << 14

    package init() {}

    package func measure() -> [BenchmarkResult] {
        let (ears, array, copy) = (cost(channels: 2, sources: 16), cost(channels: Self.microphones, sources: 2), copy())
        var whole = RenderBenchmark(microphones: Self.microphones, method: .twoBand, listeners: 1)
        whole.recorded = [.ears(0): 2, .array: Self.microphones]
        return [
            BenchmarkResult(
                name: "takes: each listener's ears", value: ears, unit: "ns/frame", beside: 2 * copy,
                besideName: "a plain copy"),
            BenchmarkResult(
                name: "takes: 16 microphones", value: array, unit: "ns/frame", beside: Double(Self.microphones) * copy,
                besideName: "a plain copy"),
        ] + whole.run(runs: 1).counts.results("takes")
    }

    private final class Source {
        var tap: TakeTap
        var outlet: TakeTap.Outlet

        init(channels: Int) {
            let pair = TakeTap.pair(.array, channels: channels, capacity: RecordedTake.capacity)
            tap = pair.tap
            outlet = pair.outlet
        }
    }

    /// Returns nanoseconds per frame of one source, of which there are as many as exceed the caches.
    private func cost(channels: Int, sources count: Int) -> Double {
        let sources = (0..<count).map { _ in Source(channels: channels) }
        let block = [Float](repeating: 0.5, count: Self.period * channels)
        var sample: Int64 = 0
        let least = least {
            for _ in 0..<Self.frames / Self.period {
                for source in sources {
                    if channels == 2 {
                        source.tap.write(block, block, frames: Self.period, at: sample)
                    } else {
                        source.tap.write(block, frames: Self.period, at: sample)
                    }
                }
                sample += Int64(Self.period)
            }
        } after: {
            for source in sources { source.outlet.frames.skip(source.outlet.frames.available) }
        }
        return Double(least) / Double(Self.frames * count)
    }

    /// Returns nanoseconds for the copy of one sample, block by block, into memory as large as that of takes.
    private func copy() -> Double {
        let count = Self.period * Self.microphones
        let capacity = RecordedTake.capacity * Self.microphones
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        memory.initialize(repeating: 0, count: capacity)
        defer { memory.deallocate() }
        let block = [Float](repeating: 0.5, count: count)
        var place = 0
        let least = least {
            for _ in 0..<Self.frames / Self.period {
                (memory + place).update(from: block, count: count)
                place = (place + count) % capacity
            }
        } after: {
        }
        return Double(least) / Double(Self.frames * Self.microphones)
    }

    /// Nanoseconds of the fastest of many runs.
    private func least(_ body: () -> Void, after: () -> Void) -> UInt64 {
        var least = UInt64.max
        for _ in 0..<200 {
            let begin = rt_now()
            body()
            least = min(least, rt_now() - begin)
            after()
        }
        return least
    }
}
