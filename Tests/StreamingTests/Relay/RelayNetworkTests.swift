import Streaming
import Testing

/// The relay over networks of given rates, each with one queue and a delay.
@Suite struct RelayNetworkTests {
    /// A receiver behind a network.
    private struct Network {
        let peer: Int
        let link: Int
        let trip: Double
        var busyUntil = 0.0
        var onTheirWay: [(number: UInt32, sent: Double, arrives: Double)] = []
        var arrived = 0
        /// Milliseconds from the camera to the receiver by time of arrival.
        var delays: [(now: Double, delay: Double)] = []
    }

    /// Runs a sender with 25 pictures per second whose encoder keeps exactly to what it is told.
    ///
    /// - Parameter rate: kilobits per second of a receiver's network at a time.
    /// - Returns: the delays of each receiver, and the changes of the strategy with their times.
    private func run(
        seconds: Int, receivers: Int, following: RelayOffer.Following, lowest: VideoStrategy, best: Int, trip: Double,
        rate: (_ receiver: Int, _ now: Double) -> Double
    ) throws -> (networks: [[(now: Double, delay: Double)]], changes: [(now: Double, strategy: VideoStrategy)]) {
        var rig = RelayRig(1 + receivers)
        let bounds = VideoBounds(best: VideoStrategy(bitrate: best, rate: 25, height: 480), lowest: lowest)
        try rig.relay.offer(1, RelayOffer(.camera, admission: .everyone, bounds: bounds, following: following), now: 0)
        var networks: [Network] = []
        for peer in 2..<(2 + receivers) { networks.append(Network(peer: peer, link: try rig.start(peer, from: 1), trip: trip)) }
        var (strategy, wantsKey, next) = (bounds.best, true, 0.0)
        var changes: [(Double, VideoStrategy)] = []
        var sentAt: [UInt32: Double] = [:]
        var sizes: [UInt32: Int] = [:]
        var number: UInt32 = 0
        for millisecond in 0..<(1000 * seconds) {
            rig.now = Double(millisecond)
            if millisecond % 20 == 0 { rig.relay.tick(now: rig.now) }
            for event in rig.relay.takeEvents() {
                switch event {
                case .key: wantsKey = true
                case .strategy(_, let newer, _):
                    if newer != strategy { changes.append((rig.now, newer)) }
                    strategy = newer
                default: break
                }
            }
            if rig.now >= next {
                next = rig.now + 1000 / Double(strategy.rate)
                number += 1
                // A key frame is four times as large as the others.
                let size = strategy.bitrate / 8 / strategy.rate * (wantsKey ? 4 : 1)
                (sentAt[number], sizes[number]) = (rig.now, size)
                try rig.send(1, wantsKey ? .key : .delta, bytes: size)
                wantsKey = false
            }
            for index in networks.indices {
                let kilobits = rate(index, rig.now)
                let due = networks[index].onTheirWay.filter { $0.arrives <= rig.now }
                networks[index].onTheirWay.removeAll { $0.arrives <= rig.now }
                for frame in due {
                    networks[index].arrived += 1
                    networks[index].delays.append((rig.now, rig.now - frame.sent))
                    let receipt = RelayReceipt(link: networks[index].link, frames: networks[index].arrived)
                    try rig.relay.note(networks[index].peer, receipt, now: rig.now)
                }
                while let frame = rig.relay.take(for: networks[index].peer, now: rig.now) {
                    networks[index].busyUntil = max(rig.now, networks[index].busyUntil) + Double((sizes[frame] ?? 0) * 8) / kilobits
                    networks[index].onTheirWay.append((frame, sentAt[frame] ?? 0, networks[index].busyUntil + networks[index].trip))
                }
            }
        }
        return (networks.map(\.delays), changes)
    }

    private let lowest = VideoStrategy(bitrate: 100_000, rate: 5, height: 120)

    private func percentile(
        _ delays: [(now: Double, delay: Double)], _ part: Double, after begin: Double = 0, before end: Double = .infinity
    ) -> Double {
        let sorted = delays.filter { $0.now >= begin && $0.now < end }.map(\.delay).sorted()
        return sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    /// From 4 Mbit/s to 500 kbit/s: late for less than 2 s, then under 500 ms again, and few visible changes.
    @Test func aRateThatFallsIsFollowedWithinTwoSeconds() throws {
        let result = try run(seconds: 120, receivers: 1, following: .slowest, lowest: lowest, best: 2_000_000, trip: 20) { _, now in
            now < 20_000 ? 4000 : 500
        }
        let delays = result.networks[0]
        #expect(percentile(delays, 0.95, after: 2000, before: 20_000) < 100)
        let late = delays.filter { $0.now > 20_000 && $0.delay > 500 }
        #expect((late.map(\.now).max() ?? 0) < 22_000, "late until \(late.map(\.now).max() ?? 0)")
        #expect(percentile(delays, 0.95, after: 22_000) < 500)
        for begin in result.changes.map(\.now) {
            let inAMinute = result.changes.count { (begin..<begin + 60_000).contains($0.now) }
            #expect(inAMinute <= 3, "\(result.changes)")
        }
        for change in result.changes { #expect(change.strategy.bitrate >= lowest.bitrate && change.strategy.height >= lowest.height) }
    }

    /// The network of the sender itself falls from 4 Mbit/s to 500 kbit/s; its clock is another one.
    ///
    /// - Parameter isTimed: whether its pictures tell their times.
    private func runUplink(isTimed: Bool) throws -> (delays: [(now: Double, delay: Double)], changes: [VideoStrategy]) {
        var rig = RelayRig(2)
        let bounds = VideoBounds(best: VideoStrategy(bitrate: 2_000_000, rate: 25, height: 480), lowest: lowest)
        try rig.relay.offer(1, RelayOffer(.camera, admission: .everyone, bounds: bounds), now: 0)
        let link = try rig.start(2, from: 1)
        var (strategy, wantsKey, next, busyUntil) = (bounds.best, true, 0.0, 0.0)
        var (changes, delays): ([VideoStrategy], [(now: Double, delay: Double)]) = ([], [])
        var onTheirWay: [(kind: RelayFrame.Kind, captured: Double, arrives: Double, bytes: Int)] = []
        var number: UInt32 = 0
        for millisecond in 0..<60_000 {
            rig.now = Double(millisecond)
            if millisecond % 20 == 0 { rig.relay.tick(now: rig.now) }
            for event in rig.relay.takeEvents() {
                if case .key = event { wantsKey = true }
                if case .strategy(_, let newer, _) = event, newer != strategy {
                    changes.append(newer)
                    strategy = newer
                }
            }
            // A browser leaves pictures out when too much has not arrived: 300 ms of them.
            let waiting = onTheirWay.reduce(0) { $0 + $1.bytes }
            if rig.now >= next, waiting <= max(12_000, strategy.bitrate * 3 / 80) {
                next = rig.now + 1000 / Double(strategy.rate)
                let bytes = strategy.bitrate / 8 / strategy.rate * (wantsKey ? 4 : 1)
                busyUntil = max(rig.now, busyUntil) + Double(bytes * 8) / (millisecond < 20_000 ? 4000 : 500)
                onTheirWay.append((wantsKey ? .key : .delta, rig.now, busyUntil + 20, bytes))
                wantsKey = false
            }
            while let frame = onTheirWay.first, frame.arrives <= rig.now {
                onTheirWay.removeFirst()
                number += 1
                let time = isTimed ? UInt64(1000 * (frame.captured + 7_000_000)) : 0
                let header = RelayFrame(frame.kind, codec: .vp8, number: number, width: 640, height: 360, timestamp: time)
                try rig.relay.push(1, header, bytes: frame.bytes, now: rig.now) { number }
                delays.append((rig.now, rig.now - frame.captured))
                _ = try rig.receive(2, link: link)
            }
        }
        return (delays, changes)
    }

    @Test func aNarrowWayFromTheSenderIsFollowedWithinTwoSeconds() throws {
        let result = try runUplink(isTimed: true)
        let late = result.delays.filter { $0.delay > 500 }.map(\.now)
        #expect((late.max() ?? 0) < 22_000, "late until \(late.max() ?? 0)")
        #expect(percentile(result.delays, 0.95, after: 22_000) < 500)
        #expect((1...3).contains(result.changes.count), "\(result.changes)")
        for change in result.changes { #expect(change.bitrate >= lowest.bitrate) }
        // Without times nobody knows.
        let untimed = try runUplink(isTimed: false)
        #expect(untimed.changes.isEmpty && percentile(untimed.delays, 0.5, after: 22_000) > 1000)
    }

    /// A receiver at 64 kbit/s delays others by nothing when the encoder follows the median, and stays watchable by key frames.
    @Test func aNarrowReceiverDelaysNobody() throws {
        let narrow: (Int, Double) -> Double = { receiver, _ in receiver == 0 ? 64 : 20_000 }
        let with = try run(seconds: 40, receivers: 3, following: .median, lowest: lowest, best: 1_000_000, trip: 10, rate: narrow)
        let without = try run(seconds: 40, receivers: 3, following: .median, lowest: lowest, best: 1_000_000, trip: 10) { _, _ in 20_000 }
        for receiver in 1...2 {
            let difference = percentile(with.networks[receiver], 0.95) - percentile(without.networks[receiver], 0.95)
            #expect(abs(difference) <= 5)
            #expect(with.networks[receiver].count > 950)
        }
        #expect(with.changes.isEmpty)
        #expect(with.networks[0].count >= 4)
    }

    @Test func theSlowestIsFollowedWhenThatIsTheStrategy() throws {
        let result = try run(seconds: 40, receivers: 3, following: .slowest, lowest: lowest, best: 1_000_000, trip: 10) { receiver, _ in
            receiver == 0 ? 300 : 20_000
        }
        #expect(result.changes.contains { $0.strategy.bitrate <= 250_000 })
        #expect(percentile(result.networks[0], 0.9, after: 15_000) < 500)
    }

    /// A receiver that confirms nothing any more makes the picture worse for ten seconds, not for good.
    @Test func aReceiverThatIsGoneIsNotFollowed() throws {
        var rig = RelayRig(3)
        try rig.offer(1)
        let link = try rig.start(2, from: 1)
        let silent = try rig.start(3, from: 1)
        var strategies: [(now: Double, bitrate: Int)] = []
        func look() {
            for event in rig.relay.takeEvents() {
                if case .strategy(_, let strategy, _) = event { strategies.append((rig.now, strategy.bitrate)) }
            }
        }
        for picture in 0..<500 {
            try rig.send(1, picture % 25 == 0 ? .key : .delta)
            _ = try rig.receive(2, link: link)
            _ = rig.relay.take(for: 3, now: rig.now)
            rig.now += 40
            rig.relay.tick(now: rig.now)
            look()
        }
        let best = try #require(strategies.first?.bitrate)
        #expect(strategies.contains { $0.now < 9000 && $0.bitrate < best })
        #expect(strategies.last?.bitrate == best)
        // Once it confirms again, it counts again.
        strategies = []
        try rig.relay.note(3, RelayReceipt(link: silent, frames: 1), now: rig.now)
        look()
        #expect((strategies.last?.bitrate ?? best) < best)
    }
}
