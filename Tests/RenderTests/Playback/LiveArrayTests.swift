import Binaural
import Crossing
import Parameters
import RenderInterface
import TestSupport
import Testing

@testable import Render

/// A live array is rendered as a recording of the same sound, and passes whether it is heard or not.
@Suite struct LiveArrayTests {
    static let period = 64
    static let channels = 16

    static func sample(_ channel: Int, _ frame: Int) -> Float { Float((frame * (channel + 3)) % 97) / 97 - 0.5 }

    static func block(_ index: Int) -> [Float] {
        (0..<period).flatMap { frame in (0..<channels).map { sample($0, index * period + frame) } }
    }

    static func time(_ index: Int) -> BlockTime {
        let begin = 5_000_000_000 + UInt64(index * period) * 1_000_000_000 / 48_000
        return BlockTime(begin: begin, output: begin + 2_000_000)
    }

    /// A harness to which a live array was sent, fed by ``render(_:_:delivers:)``.
    static func harness(_ method: InterpolationMethod) -> RenderHarness {
        var harness = RenderHarness(method: method, period: period)
        let ring = FrameRing(channels: channels, capacity: 4096)
        let feed = SceneFeed(frames: ring.consumer, array: harness.array, number: -1, live: LiveFeed(inlet: ring.producer))
        _ = harness.feeds.send(feed)
        return harness
    }

    static func render(_ harness: inout RenderHarness, _ blocks: Range<Int>, delivers: (Int) -> Bool = { _ in true }) {
        var (left, right) = ([Float](repeating: 0, count: period), [Float](repeating: 0, count: period))
        for index in blocks {
            let time = time(index)
            if delivers(index) {
                harness.graph.take(array: block(index), channels: channels, frames: period, from: time.begin - 1_000_000)
            }
            harness.graph.render(left: &left, right: &right, frames: period, at: time)
            harness.left += left
            harness.right += right
        }
    }

    static func recording(_ method: InterpolationMethod, blocks: Int) -> RenderHarness {
        var harness = RenderHarness(method: method, period: period)
        harness.play(frames: 60_000, sample)
        harness.render(blocks: blocks, time: time)
        return harness
    }

    @Test(arguments: InterpolationMethod.allCases.filter { $0 != .hrtf })
    func soundsAsTheSameRecording(_ method: InterpolationMethod) {
        let recorded = Self.recording(method, blocks: 40)
        var live = Self.harness(method)
        Self.render(&live, 0..<40)
        let (left, right) = (live.left == recorded.left, live.right == recorded.right)
        #expect(left && right)
        #expect(live.left.contains { abs($0) > 0.1 })
    }

    @Test func soundsAsTheRecordingWithAChangeInsideABlock() {
        func change(_ harness: inout RenderHarness) {
            let index = harness.tree.index(ListenerParameter.gain)
            _ = harness.changes.push(TimedChange(time: Self.time(10).output + 400_000, index: index, value: 0.25))
        }
        var recorded = RenderHarness(method: .twoBand, period: Self.period)
        recorded.play(frames: 60_000, Self.sample)
        change(&recorded)
        recorded.render(blocks: 40, time: Self.time)
        var live = Self.harness(.twoBand)
        change(&live)
        Self.render(&live, 0..<40)
        let isSame = live.left == recorded.left
        #expect(isSame)
    }

    @Test func isDeclaredFromConverterToConverter() {
        for method in [InterpolationMethod.nearest, .ringSpectral] {
            var live = Self.harness(method)
            Self.render(&live, 0..<40)
            let latency = live.engine.read().arrayLatency
            // From the converter 1 ms before the block to 2 ms after its beginning.
            let declared = 3_000_000 + Double(method.latency(rate: 48_000)) * 1e9 / 48_000
            #expect(abs(Double(latency) - declared) < 1000)
        }
        var recorded = Self.recording(.nearest, blocks: 10)
        #expect(recorded.engine.read().arrayLatency == 0)
    }

    @Test func passesWhileItIsMuted() {
        let recorded = Self.recording(.nearest, blocks: 200)
        var live = Self.harness(.nearest)
        Self.render(&live, 0..<40)
        live.set(TransportParameter.state, Float(TransportParameter.paused))
        Self.render(&live, 40..<100)
        live.set(TransportParameter.state, Float(TransportParameter.playing))
        Self.render(&live, 100..<200)
        #expect(live.left[80 * Self.period..<100 * Self.period].allSatisfy { $0 == 0 })
        let tail = 180 * Self.period..<200 * Self.period
        let isSame = live.left[tail] == recorded.left[tail]
        #expect(isSame)
        #expect(live.engine.read().dropouts == 0)
    }

    @Test func isSilentWhileTheDeviceIsLostAndHeardAgain() {
        let recorded = Self.recording(.nearest, blocks: 200)
        var live = Self.harness(.nearest)
        Self.render(&live, 0..<200) { !(50..<80).contains($0) }
        #expect(live.left[50 * Self.period..<80 * Self.period].allSatisfy { $0 == 0 })
        let tail = 150 * Self.period..<200 * Self.period
        let isSame = live.left[tail] == recorded.left[tail]
        #expect(isSame)
        #expect(live.engine.read().dropouts == 1)
    }

    @Test func theRecordingAndTheArrayReplaceEachOther() {
        var harness = RenderHarness(method: .nearest, period: Self.period)
        harness.play(frames: 60_000) { _, _ in 0.25 }
        harness.render(blocks: 40, time: Self.time)
        let ring = FrameRing(channels: Self.channels, capacity: 4096)
        _ = harness.feeds.send(
            SceneFeed(frames: ring.consumer, array: harness.array, number: -1, version: 1, live: LiveFeed(inlet: ring.producer)))
        Self.render(&harness, 40..<100)
        let expected = Self.recording(.nearest, blocks: 100)
        let live = 80 * Self.period..<100 * Self.period
        let isLive = harness.left[live] == expected.left[live]
        #expect(isLive)
        harness.play(frames: 60_000, number: 2, version: 2) { _, _ in 0.5 }
        Self.render(&harness, 100..<160)
        #expect(harness.left[140 * Self.period..<160 * Self.period].allSatisfy { $0 == 0.5 })
    }
}
