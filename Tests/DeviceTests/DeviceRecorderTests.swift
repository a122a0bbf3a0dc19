import CRealtime
import Crossing
import Synchronization
import TestSupport
import Testing

@testable import Device
@testable import Render

/// A recorder whose driver hangs.
@Suite struct DeviceRecorderTests {
    /// A source of blocks that all have one value, which hangs after the first few until it is let go, or fails.
    // SAFETY: the block is written by the initialiser only.
    final class Source: RecordingSource, @unchecked Sendable {
        let numbers: [Int]
        let period = 64
        private let block: UnsafeMutablePointer<Float>
        private let hangs: Bool
        private let fails: Bool
        private let count = Atomic(0)
        let isHanging = Flag()
        let isFree = Flag()
        let hasReturned = Flag()

        init(_ value: Float, channels: Int = 2, hangs: Bool = false, fails: Bool = false) {
            numbers = Array(1...channels)
            block = .allocate(capacity: 64 * channels)
            block.initialize(repeating: value, count: 64 * channels)
            (self.hangs, self.fails) = (hangs, fails)
        }

        deinit { block.deallocate() }

        func next() -> ArrayBlock {
            realtime_sleep_until(rt_now() + 1_333_333)
            let isLate = count.add(1, ordering: .relaxed).newValue > 5
            if fails, isLate { return .failure(DeviceError("The source was unplugged.")) }
            if hangs, isLate {
                isHanging.raise()
                _ = isFree.wait(within: 60_000_000_000)
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
        #expect(sources[0].isHanging.wait(within: 60_000_000_000))
        let late = rt_now() + 10_000_000_000
        recorder.watch(now: late)
        #expect(words.withLock { $0 } == [], "a program that was stopped looks the same at first")
        recorder.watch(now: late + 1_000_000_000)
        let told = words.withLock { $0.first } ?? ""
        #expect(told.hasPrefix("The live input test does not respond: its driver or its sound server hangs."))
        #expect(again.wait(within: 60_000_000_000))
        // The thread that hung returns, and its block is not heard among those of the other one.
        sources[0].isFree.raise()
        #expect(sources[0].hasReturned.wait(within: 60_000_000_000))
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

    /// A device that may come is looked for; one that cannot be used is refused.
    @Test func aDeviceThatIsAbsentAtTheStartIsRecordedWhenItIsThere() throws {
        let isThere = Flag()
        let words = Mutex<[String]>([])
        let recorder = try DeviceRecorder(
            "live input test", thread: "audio input", rate: 48_000, absent: ([1, 2], 128),
            report: { text in words.withLock { $0.append(text) } },
            open: { _ throws(DeviceError) in
                guard isThere.isRaised else { throw DeviceError("There is no test.", isAbsence: true) }
                return Source(0.5)
            })
        #expect(recorder.channels == 2 && recorder.period == 128 && recorder.problem == "There is no test.")
        let ring = FrameRing(channels: 2, capacity: 16_384)
        let stamps = Latest(LiveStamp(frame: 0, time: 0))
        let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
        let frames = ring.consumer
        recorder.share(clock: true)
        recorder.send(to: ArrayLine(frames: ring.producer, stamps: stamps.writer, readings: readings.reader))
        isThere.raise()
        waitUntil("the recorded sound arrives") { frames.available > 0 }
        recorder.stop()
        #expect(recorder.period == 64 && recorder.problem == "")
        let told = words.withLock { $0 }
        #expect(
            told == [
                "There is no test. The engine starts without it, and records it when it is there.", "The live input test is recorded now.",
            ])
        #expect(throws: DeviceError("It has another rate.")) {
            try DeviceRecorder(
                "live input test", thread: "audio input", rate: 48_000, absent: ([1, 2], 128), report: { _ in },
                open: { _ throws(DeviceError) in throw DeviceError("It has another rate.") })
        }
    }

    /// A source of another number of channels would be read beyond its block, and heard on other channels.
    @Test(arguments: [1, 3]) func aSourceThatReturnsWithOtherChannelsIsRefused(channels: Int) throws {
        let sources = [Source(0.25, fails: true), Source(0.75, channels: channels), Source(0.5)]
        let opened = Atomic(0)
        let known = Mutex<[[Int]?]>([])
        let isTold = Flag()
        let recorder = try DeviceRecorder(
            "array test", thread: "audio array", rate: 48_000, report: { _ in },
            open: { numbers throws(DeviceError) in
                known.withLock { $0.append(numbers) }
                let isFirst = opened.add(1, ordering: .relaxed).newValue == 1
                return sources[isFirst ? 0 : isTold.isRaised ? 2 : 1]
            })
        let ring = FrameRing(channels: 2, capacity: 16_384)
        let stamps = Latest(LiveStamp(frame: 0, time: 0))
        let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
        var frames = ring.consumer
        recorder.share(clock: true)
        recorder.send(to: ArrayLine(frames: ring.producer, stamps: stamps.writer, readings: readings.reader))
        let words =
            "The array test has \(channels == 1 ? "1 channel" : "3 channels") now, and 2 are recorded. Let it have 2 again, or restart "
            + "the engine."
        waitUntil("the other number is told") { recorder.problem == words }
        isTold.raise()
        var block = [Float](repeating: 0, count: 128)
        var heard: [Float] = []
        waitUntil("the array is recorded again") {
            if frames.read(&block, frames: 64) > 0 { heard += block }
            return heard.last == 0.5
        }
        recorder.stop()
        #expect(recorder.problem == "" && Set(heard) == [0.25, 0.5])
        let asked = known.withLock { $0 }
        #expect(asked.first == [Int]?.none && asked.dropFirst().allSatisfy { $0 == [1, 2] }, "\(asked)")
    }
}
