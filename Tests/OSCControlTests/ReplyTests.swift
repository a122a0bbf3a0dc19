import Foundation
import Hub
import OSCControl
import Parameters
import TestSupport
import Testing

@Suite struct ReplyTests {
    func message(_ address: String, _ arguments: Argument...) -> Message {
        Message(address: address, arguments: arguments, receiveTime: 0)
    }

    /// Sends a message, runs the control thread, and returns the first datagram received.
    func ask(_ rig: Rig, _ sender: Sender, _ address: String, _ arguments: Argument...) -> [Message]? {
        sender.send(OSCPacket.bytes(address, arguments))
        var answer: [Message]?
        waitUntil("\(address) is answered") {
            _ = rig.dispatcher.drain()
            answer = sender.receive(seconds: 0.005)
            return answer != nil
        }
        return answer
    }

    /// Whether a later message is answered first.
    func isUnanswered(_ rig: Rig, _ sender: Sender, _ address: String) -> Bool {
        sender.send(OSCPacket.bytes(address, []))
        return ask(rig, sender, "/sync", .int(99)) == [message("/synced", .int(99))]
    }

    @Test func addressWithoutArgumentsIsAQuery() throws {
        let rig = try Rig()
        let other = Sender(to: rig.receiver.port)
        defer { other.close() }
        rig.hub.publish(rig.tree.index(ListenerParameter.gain), .number(-6))
        #expect(ask(rig, other, "/listener/1/gain") == [message("/listener/1/gain", .float(-6))])
        #expect(ask(rig, other, "/listener/1/ypr") == [message("/listener/1/ypr", .float(0), .float(0), .float(0))])
        #expect(ask(rig, other, "/engine/xruns") == [message("/engine/xruns", .int(0))])
        #expect(ask(rig, other, "/listener/*/gain") == [message("/listener/1/gain", .float(-6))])
        #expect(other.receive() == [message("/listener/2/gain", .float(0))])
        // No other client receives the reply, and an impulse is not a query.
        #expect(rig.sender.receive(seconds: 0.05) == nil)
        #expect(isUnanswered(rig, other, "/listener/1/recenter"))
    }

    @Test func admListenerIsTheFirstListener() throws {
        let rig = try Rig()
        let other = Sender(to: rig.receiver.port)
        defer { other.close() }
        rig.hub.publish(rig.tree.index(ListenerParameter.ypr), .vector([30, -10, 5]))
        #expect(ask(rig, other, "/adm/lis/ypr") == [message("/adm/lis/ypr", .float(30), .float(-10), .float(5))])
        #expect(ask(rig, other, "/adm/lis/pitch") == [message("/adm/lis/pitch", .float(-10))])
        // Without objects, too.
        #expect(ask(rig, other, "/adm/lis/xyz") == [message("/adm/lis/xyz", .float(0), .float(0), .float(0))])
        #expect(isUnanswered(rig, other, "/adm/lis/unknown"))
    }

    @Test func syncIsAnsweredAfterEarlierMessages() throws {
        let rig = try Rig()
        for i in 0..<200 { rig.sender.send(OSCPacket.bytes("/listener/1/gain", [.float(Float(-i) / 10)])) }
        #expect(ask(rig, rig.sender, "/sync", .int(7)) == [message("/synced", .int(7))])
        #expect(rig.hub.value(rig.tree.index(ListenerParameter.gain)) == .number(-19.9))
    }

    @Test func subscribersAreListedAndCanBeRemoved() throws {
        let rig = try Rig()
        let mine = Sender(to: rig.receiver.port)
        defer { mine.close() }
        #expect(rig.dispatcher.clients.isEmpty && !rig.dispatcher.kick(7))
        _ = ask(rig, mine, "/subscribe", .string("/listener/1/gain"), .int(100))
        #expect(mine.receive() == [message("/listener/1/gain", .float(0))])
        let client = try #require(rig.dispatcher.clients.first)
        #expect(client.kind == "osc" && client.address == "127.0.0.1" && client.id == 7 && client.sent == 1)
        #expect(!rig.dispatcher.kick(8) && rig.dispatcher.kick(7) && rig.dispatcher.clients.isEmpty)
        #expect(mine.receive() == [message("/error", .string("your subscriptions were ended by the operator"))])
        rig.sender.send(OSCPacket.bytes("/listener/1/gain", [.float(-3)]))
        #expect(rig.until { rig.hub.value(rig.tree.index(ListenerParameter.gain)) == .number(-3) })
        #expect(mine.receive(seconds: 0.05) == nil)
    }

    @Test func changesArePushedUntilTheLeaseEnds() throws {
        let rig = try Rig()
        let (mine, other) = (Sender(to: rig.receiver.port), rig.sender)
        defer { mine.close() }
        let gain = rig.tree.index(ListenerParameter.gain)
        #expect(
            ask(rig, mine, "/subscribe", .string("/listener/1/gain"), .int(300))
                == [message("/subscribed", .string("/listener/1/gain"), .int(300))])
        #expect(mine.receive() == [message("/listener/1/gain", .float(0))])
        other.send(OSCPacket.bytes("/listener/1/gain", [.float(-3)]))
        #expect(rig.until { rig.hub.value(gain) == .number(-3) })
        #expect(mine.receive() == [message("/listener/1/gain", .float(-3))])
        // A client's own changes are not sent back to it.
        mine.send(OSCPacket.bytes("/listener/1/gain", [.float(-4)]))
        #expect(rig.until { rig.hub.value(gain) == .number(-4) })
        #expect(mine.receive(seconds: 0.05) == nil)
        // A repeated subscription sets the end of the lease.
        #expect(
            ask(rig, mine, "/subscribe", .string("/listener/1/gain"), .int(1))
                == [message("/subscribed", .string("/listener/1/gain"), .int(1))])
        #expect(rig.until { rig.dispatcher.clients.isEmpty }, "the lease has ended")
        rig.hub.publish(gain, .number(-5))
        _ = rig.dispatcher.drain()
        #expect(mine.receive(seconds: 0.05) == nil)
    }

    @Test func containerSubscriptionSendsBundlesUntilUnsubscribed() throws {
        let rig = try Rig()
        #expect(ask(rig, rig.sender, "/subscribe", .string("/"), .int(9999)) == [message("/subscribed", .string("/"), .int(300))])
        var seen: Set<String> = []
        let readable = Set(rig.tree.nodes.filter { $0.spec.access != .write }.map(\.address))
        while seen.count < readable.count, let messages = rig.sender.receive() { seen.formUnion(messages.map(\.address)) }
        #expect(seen == readable)
        #expect(rig.sender.receive(seconds: 0.05) == nil)
        rig.sender.send(OSCPacket.bytes("/unsubscribe", [.string("/")]))
        rig.sender.send(OSCPacket.bytes("/listener/2/gain", [.int(-1)]))
        #expect(rig.until { rig.hub.value(rig.tree.index(ListenerParameter.gain, 1)) == .number(-1) })
        rig.hub.publish(rig.tree.index(ListenerParameter.gain), .number(-5))
        _ = rig.dispatcher.drain()
        #expect(rig.sender.receive(seconds: 0.05) == nil)
    }

    @Test func overlappingLeasesExpireSeparately() throws {
        let rig = try Rig()
        let sender = rig.sender
        #expect(ask(rig, sender, "/subscribe", .string("/listener/1/gain"), .int(60))?.first?.address == "/subscribed")
        #expect(sender.receive() == [message("/listener/1/gain", .float(0))])
        #expect(ask(rig, sender, "/subscribe", .string("/listener/1"), .int(60))?.first?.address == "/subscribed")
        sender.send(OSCPacket.bytes("/unsubscribe", [.string("/listener/1")]))
        sender.send(OSCPacket.bytes("/sync", [.int(1)]))
        // The values of the container come first.
        waitUntil("/sync is answered") {
            _ = rig.dispatcher.drain()
            return sender.receive(seconds: 0.005) == [message("/synced", .int(1))]
        }
        rig.hub.publish(rig.tree.index(ListenerParameter.gain), .number(-5))
        rig.hub.publish(rig.tree.index(ListenerParameter.mute), .number(1))
        _ = rig.dispatcher.drain()
        #expect(sender.receive() == [message("/listener/1/gain", .float(-5))])
        #expect(sender.receive(seconds: 0.05) == nil)
    }

    @Test func invalidSubscriptionsAreAnsweredWithErrorsAndTheirNumberIsLimited() throws {
        let rig = try Rig()
        #expect(
            ask(rig, rig.sender, "/subscribe", .string("/listener/1/gain"))
                == [message("/error", .string("/subscribe takes a path and a number of seconds"))])
        #expect(
            ask(rig, rig.sender, "/subscribe", .string("/listener/1/gian"), .int(5))
                == [message("/error", .string("no parameter at /listener/1/gian; did you mean /listener/1/gain?"))])
        let many = (0..<65).map { _ in Sender(to: rig.receiver.port) }
        defer { many.forEach { $0.close() } }
        for sender in many.dropLast() {
            #expect(ask(rig, sender, "/subscribe", .string("/engine/load"), .int(60))?.first?.address == "/subscribed")
        }
        #expect(ask(rig, many[64], "/subscribe", .string("/engine/load"), .int(60))?.first?.address == "/error")
    }

    @Test func addressesAndNetworksAreAdmitted() throws {
        let admission = OSCAdmission(try ["192.168.1.0/24", "10.1.2.3", "fe80::/10"].map { try #require(AddressRange($0)) })
        for (host, isIn) in [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("192.168.1.77", true), ("192.168.2.77", false),
            ("10.1.2.3", true), ("10.1.2.4", false), ("fe80::1", true), ("fec0::1", false), ("::ffff:10.1.2.3", true),
        ] {
            #expect(admission.admits(try #require(NetworkAddress(host: host))) == isIn, "\(host)")
        }
        for text in ["", "router", "1.2.3", "1.2.3.4/33", "1.2.3.4/x", "::1/129", "1.2.3.4/8/8"] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }
}
