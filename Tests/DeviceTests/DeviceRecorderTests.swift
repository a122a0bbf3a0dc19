import CRealtime
import Crossing
import Synchronization
import TestSupport
import Testing

@testable import Device
@testable import Render

/// A recorder whose driver hangs.
@Suite struct DeviceRecorderTests {
    /// A source of blocks that all have one value, which hangs after the first few until it is let go.
    // SAFETY: the block is written by the initialiser only.
    final class Source: RecordingSource, @unchecked Sendable {
        let numbers = [1, 2]
        let period = 64
        private let block: UnsafeMutablePointer<Float>
        private let hangs: Bool
        private let count = Atomic(0)
        let isHanging = Flag()
        let isFree = Flag()
        let hasReturned = Flag()

        init(_ value: Float, hangs: Bool) {
            block = .allocate(capacity: 128)
            block.initialize(repeating: value, count: 128)
            self.hangs = hangs
        }

        deinit { block.deallocate() }

        func next() -> ArrayBlock {
            realtime_sleep_until(rt_now() + 1_333_333)
            if hangs, count.add(1, ordering: .relaxed).newValue > 5 {
                isHanging.raise()
                _ = isFree.wait(within: 20_000_000_000)
                hasReturned.raise()
            }
            return .frames(UnsafePointer(block), end: rt_now())
        }
    }

    @Test func aDriverThatDoesNotReturnIsLeftAlone() throws {
        let sources = [Source(0.25, hangs: true), Source(0.5, hangs: false)]
        let opened = Atomic(0)
        let again = Flag()
        let words = Mutex<[String]>([])
        let recorder = try DeviceRecorder(
            "live input test", thread: "audio input", rate: 48_000,
            report: { text in
                words.withLock { $0.append(text) }
                if text.hasSuffix("is recorded again.") { again.raise() }
            }, open: { _ throws(DeviceError) in sources[min(1, opened.add(1, ordering: .relaxed).newValue - 1)] })
        let ring = FrameRing(channels: 2, capacity: 16_384)
        let stamps = Latest(LiveStamp(frame: 0, time: 0))
        let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
        var frames = ring.consumer
        recorder.share(clock: true)
        recorder.send(to: ArrayLine(frames: ring.producer, stamps: stamps.writer, readings: readings.reader))
        #expect(sources[0].isHanging.wait(within: 20_000_000_000))
        let late = rt_now() + 10_000_000_000
        recorder.watch(now: late)
        #expect(words.withLock { $0 } == [], "a program that was stopped looks the same at first")
        recorder.watch(now: late + 1_000_000_000)
        let told = words.withLock { $0.first } ?? ""
        #expect(told.hasPrefix("The live input test does not respond: its driver or its sound server hangs."))
        #expect(again.wait(within: 20_000_000_000))
        // The thread that hung returns, and its block is not heard among those of the other one.
        sources[0].isFree.raise()
        #expect(sources[0].hasReturned.wait(within: 20_000_000_000))
        var block = [Float](repeating: 0, count: 128)
        var heard: [Float] = []
        waitUntil("the recorded sound arrives") {
            if frames.read(&block, frames: 64) > 0 { heard += stride(from: 0, to: 128, by: 2).map { block[$0] } }
            return heard.count >= 64 * 60
        }
        recorder.stop()
        let change = heard.firstIndex(of: 0.5) ?? heard.count
        #expect(change <= 5 * 64)
        #expect(heard[..<change].allSatisfy { $0 == 0.25 } && heard[change...].allSatisfy { $0 == 0.5 })
        #expect(recorder.problem == "")
    }
}
