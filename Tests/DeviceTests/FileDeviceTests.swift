import CRealtime
import Render
import Synchronization
import Testing

@testable import Device

/// Stores written frames.
final class ProbeSink: FrameSink, @unchecked Sendable {
    // SAFETY: written by the device's thread, read after it has been joined.
    var samples: [Float] = []
    var finished = 0
    var capacity = Int.max

    func write(_ interleaved: UnsafePointer<Float>, frames: Int) throws {
        if samples.count / 2 + frames > capacity { throw DeviceError("The disk is full.") }
        samples += UnsafeBufferPointer(start: interleaved, count: 2 * frames)
    }

    func finish() throws { finished += 1 }
}

@Suite struct FileDeviceTests {
    let sink = ProbeSink()
    let log = ProbeLog()

    func device(frames: Int64? = nil) throws -> FileDevice {
        FileDevice(try DeviceFormat(rate: 44_100, period: 100), origin: 1000, frames: frames) { [sink] in sink }
    }

    func expectRamp(_ frames: Int) {
        #expect(sink.samples.count == 2 * frames)
        #expect(sink.samples.indices.allSatisfy { sink.samples[$0] == ($0 % 2 == 0 ? 1 : -1) * Float($0 / 2) })
        #expect(sink.finished == 1)
    }

    @Test func writesTheFramesThatWereAskedFor() throws {
        let device = try device(frames: 1050)
        let renderer = try device.run(ProbeRenderer(log))
        #expect(renderer.frame == 1050)
        expectRamp(1050)
        #expect(log.sizes == Array(repeating: 100, count: 10) + [50])
        #expect(device.progress == 1050)
    }

    /// The first frames of a late renderer are left out, and as many follow after the end.
    @Test(arguments: [nil, 1050] as [Int64?])
    func latencyIsCompensated(_ frames: Int64?) throws {
        let device = FileDevice(try DeviceFormat(rate: 44_100, period: 100), origin: 1000, frames: frames, late: 130) { [sink] in sink }
        var renderer = ProbeRenderer(log)
        if frames == nil { renderer.last = 1100 }
        _ = try device.run(renderer)
        #expect(sink.samples.count == 2 * Int(frames ?? 1100) && sink.finished == 1)
        #expect(stride(from: 0, to: sink.samples.count, by: 2).allSatisfy { sink.samples[$0] == Float($0 / 2 + 130) })
    }

    /// A renderer whose sound begins later renders less after its end.
    @Test func fewerFramesMayFollowTheEnd() throws {
        let format = try DeviceFormat(rate: 44_100, period: 100)
        let device = FileDevice(format, origin: 1000, frames: 1050, late: 130, tail: 110) { [sink] in sink }
        let renderer = try device.run(ProbeRenderer(log))
        #expect(renderer.frame == 1160 && sink.samples.count == 2 * 1030)
        #expect(stride(from: 0, to: sink.samples.count, by: 2).allSatisfy { sink.samples[$0] == Float($0 / 2 + 130) })
    }

    @Test func endsWithTheRecordingAndStampsByFrames() throws {
        let device = try device()
        var finite = ProbeRenderer(log)
        finite.last = 441_000
        var firsts: [Int64] = []
        let renderer = try device.run(finite) { firsts.append($0) }
        #expect(renderer.frame == 441_000)
        expectRamp(441_000)
        #expect(firsts == (0..<4410).map { Int64($0) * 100 })
        let stamps = (0..<4410).map { UInt64(1000) + UInt64($0) * 100 * 1_000_000_000 / 44_100 }
        #expect(log.times.map(\.begin) == stamps)
        #expect(log.times.map(\.output) == stamps)
    }

    @Test func onEndIsCalledAfterARunOnAThread() throws {
        let device = try device()
        let end = EndLog()
        var finite = ProbeRenderer(log, ready: false)  // Ready at the second request.
        finite.last = 3000
        let calls = Atomic(0)
        let run = try device.start(
            in: RendererHolder(finite), beforeBlock: { _ in calls.add(1, ordering: .relaxed) }, onEnd: { end.end($0?.description) })
        #expect(end.wait() == nil)
        let renderer = try run.finish()
        #expect(renderer.frame == 3000)
        expectRamp(3000)
        #expect(device.progress == 3000)
        #expect(calls.load(ordering: .relaxed) == 30)
        #expect(run.hints.isEmpty)
        #expect(log.xruns.isEmpty)
    }

    @Test func waitsForSoundThatIsStillBeingRead() throws {
        struct Gate: BlockRenderer, ~Copyable {
            let asked: Atomic<Int>
            var blocks = 0
            var early = 0
            mutating func render(
                left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, at time: BlockTime
            ) {
                if asked.load(ordering: .relaxed) % 3 != 0 { early += 1 }
                blocks += 1
            }
            mutating func count(xruns: Int) {}
            mutating func count(limited: Int) {}
            /// Ready at every third request.
            var isReady: Bool { asked.add(1, ordering: .relaxed).newValue % 3 == 0 }
            var isFinished: Bool { blocks == 20 }
        }
        let renderer = try device().run(Gate(asked: Atomic(0)))
        #expect(renderer.blocks == 20)
        #expect(renderer.early == 0)
        #expect(renderer.asked.load(ordering: .relaxed) == 60)
    }

    @Test func stoppingCompletesTheFile() throws {
        let device = try device()
        let run = try device.start(ProbeRenderer(log)) { _ in Issue.record("stopped, not ended") }
        log.wait(blocks: 20)
        let renderer = try run.finish()
        expectRamp(renderer.frame)
    }

    @Test func aSinkThatFailsEndsTheRun() throws {
        sink.capacity = 250
        let device = try device()
        let end = EndLog()
        let run = try device.start(ProbeRenderer(log)) { end.end($0?.description) }
        #expect(end.wait() == "The disk is full.")
        let renderer = try run.finish()
        #expect(renderer.frame == 300)
        #expect(sink.finished == 0)
        let failing = FileDevice(device.format) { throw DeviceError("No such folder.") }
        let error = #expect(throws: DeviceError.self) { _ = try failing.run(ProbeRenderer(ProbeLog())) }
        #expect(error?.description == "No such folder.")
    }
}
