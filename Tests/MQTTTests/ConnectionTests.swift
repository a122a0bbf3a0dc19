import Testing

@testable import MQTT

/// Back-off, words for problems, and the bounds of the mailbox.
@Suite struct ConnectionTests {
    @Test func pausesGrowFromLessThanASecondToAMinute() {
        for jitter in [-1.0, 0, 1] {
            var pause = MQTTBackOff()
            let pauses = (0..<60).map { _ in pause.next(jitter: jitter) }
            #expect(pauses.allSatisfy(MQTTBackOff.range.contains) && pauses[59] >= 40)
            pause.note(connectedFor: MQTTBackOff.steady)
            #expect(pause.next(jitter: jitter) <= 1)
            // Two engines of one name do not disturb each other quickly for long.
            pause.noteReplaced()
            #expect((0..<12).map { _ in pause.next(jitter: jitter) }.max()! >= 40)
            // A broker that comes back after ten seconds is found within one.
            let times = pauses.reduce(into: [0.0]) { $0.append($0.last! + $1) }
            #expect(zip(times, pauses).allSatisfy { time, pause in time > 11 || pause <= 1 })
            #expect(times.last! > 600)
            pause.note(connectedFor: 1)
            #expect(pause.next(jitter: 0) == 60)
            pause.note(connectedFor: 60)
            #expect(pause.next(jitter: 0) == 0.75)
        }
    }

    @Test func problemsSayHowToHelp() throws {
        #expect(MQTTProblem.refusedConnection(0x86, "", user: "me").contains("password"))
        #expect(MQTTProblem.refusedConnection(0x87, "", user: nil).contains("--mqtt-password-file"))
        #expect(MQTTProblem.refusedConnection(0x97, "Quota exceeded", user: nil).contains("Quota exceeded"))
        #expect(MQTTProblem.ended(0x8E, "", engine: "hall").contains("--mqtt-name"))
        let broker = try MQTTBroker("mqtts://b")
        #expect(MQTTProblem.tls(["error:0A000086:SSL routines::certificate verify failed"], broker: broker).contains("--mqtt-ca"))
        #expect(MQTTProblem.tls([], broker: broker).contains("failed"))
    }

    @Test func theMailboxIsBounded() {
        let mailbox = MQTTMailbox {}
        let message = MQTTPublication(topic: "t", payload: [])
        #expect(!mailbox.offer(message))
        mailbox.report(.connected)
        #expect((0..<2000).count { _ in mailbox.offer(message) } == MQTTMailbox.mostOutgoing)
        #expect(mailbox.takeOutgoing(atMost: 0) == [] && mailbox.takeOutgoing(atMost: 100).count == 100 && mailbox.offer(message))
        for _ in 0..<300 { mailbox.deliver(MQTTArrival(topic: "t")) }
        let without = mailbox.take(withArrivals: false)
        #expect(without.arrivals == [] && without.events == [.connected] && without.dropped == 300 - MQTTMailbox.mostArrivals)
        let delivery = mailbox.take()
        #expect(delivery.arrivals.count == MQTTMailbox.mostArrivals && delivery.dropped == 0)
        #expect(delivery.events == [] && mailbox.take().arrivals == [])
        mailbox.report(.lost("gone"))
        #expect(!mailbox.offer(message) && mailbox.takeOutgoing(atMost: 100) == [])
    }
}
