import Binaural
import Crossing
import Parameters
import Render
import RenderInterface
import TestSupport
import Testing

/// Scheduled changes apply at their sample, inside blocks as well.
@Suite struct TimedChangeTests {
    static let period = 64
    static let blocks = 40
    static let start: UInt64 = 5_000_000_000

    static func time(sample: Int) -> UInt64 { start + UInt64((Double(sample) * 1e9 / 48_000).rounded()) }
    static func block(_ index: Int) -> BlockTime {
        let output = time(sample: index * period)
        return BlockTime(begin: output - 2_000_000, output: output)
    }

    /// Renders both ears with `changes` scheduled beforehand.
    static func render(
        _ method: InterpolationMethod, live: Bool = false, _ changes: (ParameterTree) -> [TimedChange] = { _ in [] }
    ) -> (left: [Float], right: [Float], samples: Int64) {
        var harness = RenderHarness(method: method, period: period)
        if live {
            harness.set(TransportParameter.state, 0)
        } else {
            harness.play(frames: 60_000) { channel, frame in
                Float((frame * (channel + 3)) % 97) / 97 - 0.5
            }
        }
        for change in changes(harness.tree) {
            let isTaken = harness.changes.push(change)
            #expect(isTaken)
        }
        var (l, r) = ([Float](repeating: 0, count: period), [Float](repeating: 0, count: period))
        var (left, right): ([Float], [Float]) = ([], [])
        for index in 0..<blocks {
            if live {
                let input = (0..<period).map { Float(((index * period + $0) * 7) % 101) / 101 - 0.5 }
                harness.graph.take(left: input, right: input.map { -$0 }, frames: period, from: 1)
            }
            harness.graph.render(left: &l, right: &r, frames: period, at: block(index))
            left += l
            right += r
        }
        return (left, right, harness.engine.read().samples)
    }

    static func gain(_ tree: ParameterTree, at sample: Int, _ value: Float) -> TimedChange {
        TimedChange(time: time(sample: sample), index: tree.index(ListenerParameter.gain), value: value)
    }

    @Test(arguments: [640, 641, 677, 703, 704, 1023, 1999])
    func aGainBeginsAtItsSample(_ sample: Int) throws {
        let plain = Self.render(.linear)
        let changed = Self.render(.linear) { [Self.gain($0, at: sample, 0.25)] }
        let first = try #require(plain.left.indices.first { plain.left[$0] != changed.left[$0] })
        #expect(first == sample)
        #expect(changed.samples == Int64(Self.blocks * Self.period))
        // A second later it would have the final value exactly; here it has the smoother's progress, with a time
        // constant of 15 ms.
        let late = plain.left.count - 1
        #expect(sample > 1100 || abs(changed.left[late] / plain.left[late] - 0.25) < 0.15)
    }

    @Test(arguments: [640, 671, 1029])
    func muteAndPoseBeginAtTheirSample(_ sample: Int) throws {
        let plain = Self.render(.ring)
        let muted = Self.render(.ring) {
            [TimedChange(time: Self.time(sample: sample), index: $0.index(ListenerParameter.mute), value: 1)]
        }
        #expect(plain.left.indices.first { plain.left[$0] != muted.left[$0] } == sample)
        let turned = Self.render(.ring) { _ in
            [TimedChange(time: Self.time(sample: sample), listener: 0, quaternion: SIMD4(0.9238795, 0, 0, 0.3826834))]
        }
        let first = try #require(plain.left.indices.first { plain.left[$0] != turned.left[$0] })
        // The ramp to new weights begins with the previous weights.
        #expect((sample...(sample + 1)).contains(first))
    }

    /// Late changes apply at once, changes with the same time in their order, and distant ones not yet.
    @Test func lateSimultaneousAndDistantChanges() throws {
        let plain = Self.render(.linear)
        let late = Self.render(.linear) { [TimedChange(time: 1, index: $0.index(ListenerParameter.gain), value: 0.5)] }
        #expect(late.left[0] != plain.left[0])
        let both = Self.render(.linear) { [Self.gain($0, at: 700, 0.1), Self.gain($0, at: 700, 1)] }
        #expect(both.left == plain.left)
        let far = Self.render(.linear) { [Self.gain($0, at: 1_000_000, 0.1)] }
        #expect(far.left == plain.left)
    }

    /// A block in parts equals the whole block with any method: changes without an effect are scheduled at many
    /// samples.
    @Test(arguments: InterpolationMethod.allCases.filter { $0 != .hrtf })
    func blocksInPartsEqualWholeBlocks(_ method: InterpolationMethod) {
        let whole = Self.render(method)
        let parts = Self.render(method) { tree in (1..<200).map { Self.gain(tree, at: $0 * 11 + $0 % 5, 1) } }
        let difference = zip(whole.left + whole.right, parts.left + parts.right).map { abs($0 - $1) }.max() ?? 1
        print("\(method.name): parts differ by at most \(difference)")
        #expect(difference < 2e-5)
        #expect((whole.left.map { abs($0) }.max() ?? 0) > 0.1)
    }

    @Test func liveInputInPartsEqualsWholeBlocks() {
        let whole = Self.render(.linear, live: true)
        let parts = Self.render(.linear, live: true) { tree in (1..<200).map { Self.gain(tree, at: $0 * 11 + $0 % 5, 1) } }
        #expect(zip(whole.left, parts.left).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect((whole.left.map { abs($0) }.max() ?? 0) > 0.1)
    }

    /// Changes beyond the queue's capacity are refused, and none of the queued ones is lost.
    @Test func theQueueIsBounded() {
        var harness = RenderHarness(method: .linear, period: Self.period)
        let slot = harness.tree.index(ListenerParameter.gain)
        var taken = 0
        for sample in 0..<3000 {
            if harness.changes.push(TimedChange(time: Self.time(sample: 100 + sample), index: slot, value: 1)) { taken += 1 }
        }
        #expect(taken == 1024)
        var (l, r) = ([Float](repeating: 0, count: Self.period), [Float](repeating: 0, count: Self.period))
        for index in 0..<60 { harness.graph.render(left: &l, right: &r, frames: Self.period, at: Self.block(index)) }
        let hasRoom = harness.changes.push(TimedChange(time: 0, index: slot, value: 1))
        #expect(hasRoom)
    }
}
