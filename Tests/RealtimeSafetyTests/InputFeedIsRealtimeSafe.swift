import CRealtime
import Crossing
import Parameters
import Render
import RenderInterface
import TestSupport
import Testing

/// Under RealtimeSanitizer (`make test-realtime`) any allocation, lock or system call in taking a live input from another clock ends the
/// process.
@Suite(.serialized) struct InputFeedIsRealtimeSafe {
    /// More than is used, so that frames are left out; less, so that there are gaps; nothing; and again.
    @Test func whateverItDelivers() {
        let period = 64
        let ring = FrameRing(channels: 2, capacity: 4096)
        var producer = ring.producer
        let stamps = Latest(LiveStamp(frame: 0, time: 1))
        let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
        let store = ParameterStore(ParameterTree(listeners: 1))
        let lines = RenderConnections(
            store: store, rate: 48_000, period: period,
            capture: InputFeed(
                frames: ring.consumer, live: LiveFeed(reserve: 96, stamps: stamps.reader, readings: readings.writer), period: period))
        var graph = lines.graph.take()
        let sound = (0..<2 * (period + 7)).map { Float($0 % 90) / 300 }
        let ears = UnsafeMutablePointer<Float>.allocate(capacity: 2 * period)
        ears.initialize(repeating: 0, count: 2 * period)
        defer { ears.deallocate() }
        var (heard, silent): (Float, Int) = (0, 0)
        for block in 0..<6000 {
            let time = BlockTime(begin: UInt64(block + 2) * 1_333_333, output: UInt64(block + 9) * 1_333_333)
            let count = block % 900 < 300 ? period + block % 7 : block % 900 < 600 ? period - block % 3 : 0
            if count > 0 { _ = producer.write(sound, frames: count) }
            realtime_enter()
            graph.render(left: ears, right: ears + period, frames: period, at: time)
            realtime_exit()
            var loudest: Float = 0
            for i in 0..<2 * period {
                loudest = max(loudest, abs(ears[i]))
                if !ears[i].isFinite { Issue.record("not finite in block \(block)") }
            }
            heard = max(heard, loudest)
            if loudest == 0 { silent += 1 }
        }
        #expect(heard > 0.05)
        #expect(silent > 1000 && silent < 5000)
    }
}
