import Streaming
import Testing

@Suite struct StreamSenderTests {
    private let bounds = StreamBounds(best: StreamEncoding(codec: .opus, bitrate: 96_000, milliseconds: 10))

    @Test func theBucketKeepsTheThreeNewest() {
        var bucket = LeakyBucket<Int>()
        for packet in 0..<10 { bucket.add(packet) }
        #expect(bucket.overflow == 7)
        let rest = (0..<4).map { _ in bucket.take() }
        #expect(rest == [7, 8, 9, nil])
    }

    @Test func slowStartDoublesFromOne() {
        var start = SlowStart()
        #expect(start.limit(roundTrip: 35, milliseconds: 10) == 9)
        start.late()
        var limits: [Int] = []
        while start.isSlow {
            let limit = start.limit(roundTrip: 35, milliseconds: 10)
            limits.append(limit)
            start.arrive(limit, usual: 9)
        }
        #expect(limits == [1, 2, 4, 8])
        #expect(start.limit(roundTrip: 35, milliseconds: 10) == 9)
    }

    @Test func aNetworkThatTakesNothingLeavesThreeWaitingAndFallsToTheCheapest() {
        var sender = StreamSender<Int>(bounds, isAdaptive: true)
        var changes = 0
        for packet in 0..<100 {
            if sender.offer(packet, now: 10 * Double(packet)) { changes += 1 }
            let taken = sender.take(onTheirWay: 100)
            #expect(taken == nil)
        }
        #expect(changes == 1 && sender.changes == 1)
        #expect(sender.overflow == 97)
        #expect(sender.strategy.encoding.bitrate == 32_000)
    }

    @Test func aSenderThatMayNotAdaptKeepsItsEncoding() {
        var sender = StreamSender<Int>(bounds, isAdaptive: false)
        for packet in 0..<100 { _ = sender.offer(packet, now: 10 * Double(packet)) }
        #expect(sender.strategy == StreamStrategy(bounds.best) && sender.overflow == 97)
    }

    @Test func packetsOfTheLastResortGoTogether() {
        var sender = StreamSender<Int>(bounds, isAdaptive: true)
        for packet in 0..<4 { _ = sender.offer(packet, now: 0) }
        #expect(sender.strategy.packetsTogether == 3)
        sender.clear()
        var sent: [[Int]] = []
        for packet in 10..<19 {
            _ = sender.offer(packet, now: 20 * Double(packet))
            var now: [Int] = []
            while let next = sender.take(onTheirWay: 0) { now.append(next) }
            sent.append(now)
        }
        #expect(sent == [[], [], [10, 11, 12], [], [], [13, 14, 15], [], [], [16, 17, 18]])
    }

    /// A network of a given rate with one queue, and a receiver that reports every half second.
    @Test(arguments: [1.0, 20.0, 80.0])
    func aRateThatFallsAndReturnsIsFollowedWithFewChanges(_ trip: Double) {
        var sender = StreamSender<Int>(bounds, isAdaptive: true)
        var queue: [(bits: Double, confirmed: Double)] = []
        var busyUntil = 0.0
        var rates: [Int] = []
        var received = 0
        for millisecond in 0..<120_000 {
            let now = Double(millisecond)
            let rate = now > 20_000 && now < 60_000 ? 64.0 : 100_000
            queue.removeAll { $0.confirmed <= now }
            let strategy = sender.strategy
            if millisecond % strategy.encoding.milliseconds == 0 { _ = sender.offer(millisecond, now: now) }
            while sender.take(onTheirWay: queue.count) != nil {
                let bits = Double(strategy.wireRate * strategy.encoding.milliseconds) / 1000
                busyUntil = max(now, busyUntil) + bits / rate
                queue.append((bits, busyUntil + trip))
                received += 1
            }
            let waiting = max(0, busyUntil - now)
            if millisecond % 3000 == 2999 { _ = sender.note(.init(duration: trip + waiting, offset: 0), now: now) }
            if millisecond % 500 == 499 {
                _ = sender.note(ReceiverReport(packets: received), now: now)
                rates.append(sender.strategy.encoding.bitrate)
            }
            if now > 25_000 && now < 60_000 { #expect(waiting < 400) }
        }
        #expect(rates[30] == 96_000)
        // Attempts to climb are few.
        let narrow = rates[41..<119]
        #expect(narrow.count { $0 == 32_000 } > narrow.count * 3 / 4)
        #expect(rates.last == 96_000)
        #expect(sender.changes <= 14)
    }

    @Test func impossibleReportsAreIgnored() {
        var sender = StreamSender<Int>(bounds, isAdaptive: true)
        _ = sender.note(ReceiverReport(packets: -1), now: 0)
        _ = sender.note(ReceiverReport(packets: 10, buffer: .nan), now: 0)
        _ = sender.note(ReceiverReport(packets: 10, concealed: -.infinity), now: 0)
        #expect(sender.latestReport == ReceiverReport())
    }
}
