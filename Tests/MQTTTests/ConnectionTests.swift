import Testing

@testable import MQTT

/// Words for problems, and the bounds of the mailbox.
@Suite struct ConnectionTests {
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
