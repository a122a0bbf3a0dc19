import Foundation
import Parameters
import Testing

@testable import MQTT

/// Connections to brokers that refuse, end or send something else than MQTT.
@Suite struct LinkTests {
    private static let accepted: [UInt8] = [0x20, 3, 0, 0, 0]

    private func run(_ answer: [UInt8], user: String = "", mailbox: MQTTMailbox = MQTTMailbox {}) throws -> String {
        let broker = try FakeBroker(answer)
        let settings = try MQTTSettings(broker: MQTTBroker("mqtt://\(user)127.0.0.1:\(broker.port)"), name: "hall")
        return try withExtendedLifetime(broker) { try #require(MQTTLink(settings, mailbox)).run() ?? "" }
    }

    @Test(arguments: [
        ([0x20, 3, 0, 0x86, 0], "--mqtt-password-file"), ([0x20, 3, 0, 0x87, 0], "does not authorise"),
        ([0x20, 3, 0, 0x84, 0], "does not speak MQTT 5"), ([0x20, 3, 0, 0x85, 0], "--mqtt-name"),
        ([0x20, 3, 0, 0x97, 0], "refuses the connection"), ([], "use mqtts:// if"),
        (accepted + [0xE0, 2, 0x8E, 0], "--mqtt-name"), (accepted, "was lost"),
    ])
    func refusalsSayHowToHelp(_ answer: [UInt8], _ words: String) throws {
        for user in ["", "me@"] {
            let reason = try run(answer, user: user)
            #expect(reason.contains(words), "\(reason)")
        }
    }

    /// Packets of a hostile broker end the connection, or are left out.
    @Test(
        arguments: [
            // Random bytes, a length that never ends, a packet that servers do not send, a publication without a topic.
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], accepted + [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], accepted + [0x10, 0],
            accepted + [0x30, 3, 0, 0, 0], accepted + [0x30, 5, 0, 9, 0x61, 0x62, 0], accepted + [0x90, 1, 0],
            // Confirmations of messages that nobody has sent; a topic that is not UTF-8; properties that are cut off.
            accepted + [0x40, 2, 0, 9], accepted + [0x30, 5, 0, 2, 0xC3, 0x28, 0], accepted + [0x30, 6, 0, 1, 0x61, 9, 0x26, 0],
            // Properties that MQTT 5 does not know, which end the library by an assertion.
            [0x20, 4, 0, 0, 1, 0x78], accepted + [0x30, 6, 0, 1, 0x61, 1, 0x78, 0x33],
        ] as [[UInt8]])
    func badPacketsDoNoHarm(_ answer: [UInt8]) throws {
        let mailbox = MQTTMailbox {}
        #expect(try run(answer, mailbox: mailbox) != "")
        #expect(mailbox.take().arrivals.count <= 1)
    }

    @Test func commandsArrive() throws {
        let topic = Array("vestibule/hall/set/a".utf8)
        let publication = [0x30, UInt8(topic.count + 5), 0, UInt8(topic.count)] + topic + [0, UInt8(ascii: "4"), UInt8(ascii: "2")]
        let mailbox = MQTTMailbox {}
        #expect(try run(Self.accepted + publication, mailbox: mailbox).contains("was lost"))
        let arrivals = mailbox.take().arrivals
        #expect(arrivals.map(\.topic) == ["vestibule/hall/set/a"] && arrivals.map { try? $0.arguments.get() } == [[.int(42)]])
    }

    /// Descriptors are those of the whole process, in which other tests run: a leak would be two hundred of them.
    @Test func twoHundredConnectionsLeaveNothing() throws {
        func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        func threads() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
        let broker = try FakeBroker(Self.accepted)
        let settings = try MQTTSettings(broker: MQTTBroker("mqtt://127.0.0.1:\(broker.port)"), name: "hall")
        let mailbox = MQTTMailbox {}
        let before = (try open(), try threads())
        for _ in 0..<200 { #expect(try #require(MQTTLink(settings, mailbox)).run()?.contains("was lost") == true) }
        #expect(try open() < before.0 + 100 && threads() < before.1 + 100)
        withExtendedLifetime(broker) {}
    }
}
