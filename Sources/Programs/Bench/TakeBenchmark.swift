import Binaural
package import Budgets
import CRealtime
import Crossing
import Render
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

/// The consumer of takes in a benchmark: receives the sound and the motion that takes keep in memory, and discards it.
final class RecordedTake {
    private final class Source {
        var outlet: TakeTap.Outlet

        init(_ outlet: consuming TakeTap.Outlet) { self.outlet = outlet }

        func empty() {
            outlet.frames.skip(outlet.frames.available)
            while outlet.marks.pop() != nil {}
        }
    }

    /// Frames that fit, of the size that a pre-roll has: more than the caches hold.
    static let capacity = 1 << 19
    private var taps: Handover<TakeTap>.Control
    private var heads: Ring<TakeHead>.Consumer
    private var objects: Ring<TakeObject>.Consumer
    private let isMotionWanted: Switch.Control
    private var sources: [Source] = []

    /// - Parameter channels: number of channels by source.
    init(_ lines: TakeConnections, channels: [TakeSource: Int]) {
        taps = lines.taps.take()
        heads = lines.heads.take()
        objects = lines.objects.take()
        isMotionWanted = lines.isMotionWanted.take()
        isMotionWanted.set(!channels.isEmpty)
        for (source, channels) in channels {
            let pair = TakeTap.pair(source, channels: channels, capacity: Self.capacity)
            _ = taps.send(pair.tap)
            sources.append(Source(pair.outlet))
        }
    }

    /// Drains the rings.
    func empty() {
        for source in sources { source.empty() }
        while heads.pop() != nil {}
        while objects.pop() != nil {}
    }
}
