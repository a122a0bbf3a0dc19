import Binaural
import CRealtime
import Crossing
import Parameters
import Render
import TestSupport
import Testing

/// Under RealtimeSanitizer (`make test-realtime`) any allocation, lock or system call in taking and playing a live array ends the process.
@Suite(.serialized) struct LiveArrayIsRealtimeSafe {
    /// Arrays of both kinds replace each other and the recording, deliver, stay away and are muted.
    @Test func whateverItDelivers() {
        var harness = RenderHarness(method: .ringSpectral)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 64 * 18)
        memory.initialize(repeating: 0.25, count: 64 * 18)
        defer { memory.deallocate() }
        let array = memory + 128
        var other: FrameRing.Producer?
        var heard: Float = 0
        for block in 0..<6000 {
            // Between two blocks the control side may allocate and lock.
            if block % 500 == 0 {
                let version = Int64(block + 1)
                let ring = FrameRing(channels: 16, capacity: 4096)
                let stamps = Latest(LiveStamp(frame: 0, time: 1))
                let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
                switch block / 500 % 3 {
                case 0:
                    let live = LiveFeed(inlet: ring.producer)
                    _ = harness.feeds.send(
                        SceneFeed(frames: ring.consumer, array: harness.array, number: -version, version: version, live: live))
                case 1:
                    let producer = ring.producer
                    other = consume producer
                    let live = LiveFeed(reserve: 96, stamps: stamps.reader, readings: readings.writer)
                    _ = harness.feeds.send(
                        SceneFeed(frames: ring.consumer, array: harness.array, number: -version, version: version, live: live))
                default: harness.play(frames: 40_000, number: version, version: version) { _, frame in Float(frame % 90) / 300 }
                }
            }
            if block % 71 == 0 { harness.set(TransportParameter.state, Float(block / 71 % 2)) }
            let time = BlockTime(begin: UInt64(block + 2) * 1_333_333, output: UInt64(block + 9) * 1_333_333)
            // More than is used, so that frames are left out, or nothing.
            if block % 90 < 80 { _ = other?.write(array, frames: 64 + block % 7) }
            realtime_enter()
            if block % 130 < 100 { harness.graph.take(array: array, channels: 16, frames: 64, from: time.begin) }
            harness.graph.render(left: memory, right: memory + 64, frames: 64, at: time)
            realtime_exit()
            for i in 0..<128 {
                heard = max(heard, abs(memory[i]))
                if !memory[i].isFinite { Issue.record("not finite in block \(block)") }
            }
        }
        #expect(heard > 0.1)
    }
}
