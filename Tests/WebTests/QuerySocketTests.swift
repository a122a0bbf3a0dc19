import CRealtime
import Foundation
import Hub
import OSCControl
import Parameters
import Query
import Synchronization
import Testing
import Web

@Suite struct QuerySocketTests {
    func message(_ address: String, _ arguments: Argument...) -> Message {
        Message(address: address, arguments: arguments, receiveTime: 0)
    }

    @Test func theValueIsSentAtOnceAndThenEveryChange() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        #expect(client.status == 101)
        client.command("LISTEN", "/listener/1/gain")
        let first = try #require(client.receive())
        #expect(first.opcode == SocketTestClient.binary)
        #expect(first.payload == OSCPacket.bytes("/listener/1/gain", [.float(0)]))
        server.perform { hub, _ in hub.publish(hub.tree.index(ListenerParameter.gain), .number(-6)) }
        #expect(client.receive()?.messages == [message("/listener/1/gain", .float(-6))])
        client.command("IGNORE", "/listener/1/gain")
        #expect(client.isServed())
        server.perform { hub, _ in
            hub.publish(hub.tree.index(ListenerParameter.gain), .number(-7))
            hub.publish(hub.tree.index(ListenerParameter.gain, 1), .number(-7))
        }
        client.command("LISTEN", "/listener/2/gain")
        #expect(client.receive()?.messages == [message("/listener/2/gain", .float(-7))])
    }

    /// Synchronises the clocks, and then sends a pose in a bundle with its time, an hour ahead.
    @Test func aPoseIsTimedByTheClientsClock() throws {
        let seen = Holder(Mutex<(received: UInt64, sent: UInt64)?>(nil))
        let held = Holder(Mutex<[(bytes: [UInt8], due: UInt64)]>([]))
        let server = try TestServer { hub, server in
            hub.onSet(hub.tree.index(ListenerParameter.ypr)) { _, message in
                seen.value.withLock { $0 = (message.receiveTime, message.senderTime) }
            }
            server.query.hold = { bytes, due, _ in held.value.withLock { $0.append((bytes, due)) } }
        }
        func now() -> Double { Date().timeIntervalSince1970 + 2_208_988_800 + 3600 }
        let client = SocketTestClient(server.port)
        client.set("/clock")
        var questions = 0
        while let message = client.receive()?.messages.first, message.address == "/clock/ask" {
            questions += 1
            client.set("/clock/answer", message.arguments[0], .double(now()), .double(now()))
        }
        #expect(questions == 15)
        func bundle(_ messages: [[UInt8]], at time: Double) -> [UInt8] {
            OSCPacket.bundle(messages, timetag: UInt64(time) << 32 | UInt64((time - time.rounded(.down)) * 4_294_967_296))
        }
        func pose() -> [UInt8] { bundle([OSCPacket.bytes("/listener/1/ypr", [.float(1), .float(2), .float(3)])], at: now() - 0.2) }
        // A machine that stalls meanwhile receives it more than a second after its time, which counts as unknown then.
        for _ in 0..<20 where (seen.value.withLock { $0?.sent } ?? 0) == 0 {
            client.send(SocketTestClient.binary, pose())
            #expect(client.isServed())
        }
        let (received, sent) = try #require(seen.value.withLock { $0 })
        #expect(sent != 0 && received - sent > 150_000_000)
        // The clock of another client is unknown: its timetags are ignored.
        let other = SocketTestClient(server.port)
        other.send(SocketTestClient.binary, pose())
        #expect(other.isServed())
        #expect(seen.value.withLock { $0?.sent } == 0)

        // A message with a future time is held if the clock is known, and applied at once otherwise.
        let gain = OSCPacket.bytes("/listener/1/gain", [.float(-9)])
        let before = rt_now()
        let ahead = bundle([gain, OSCPacket.bytes("/nothing/here", [.float(1)])], at: now() + 600)
        let after = rt_now()
        client.send(SocketTestClient.binary, ahead)
        #expect(client.isServed())
        let kept = held.value.withLock { $0 }
        #expect(kept.map(\.bytes) == [gain], "an unknown attribute is refused at once")
        // Apart from what is not known of the client's clock.
        let expected = before + 599_900_000_000...after + 600_100_000_000
        #expect(kept.allSatisfy { expected.contains($0.due) }, "\(kept.map(\.due)), not within \(expected)")
        other.send(SocketTestClient.binary, ahead)
        #expect(other.isServed())
        #expect(held.value.withLock { $0.count } == 1)
        // More than an hour is refused at once. The answer to the unknown address above comes first.
        client.send(SocketTestClient.binary, bundle([gain], at: now() + 86_400))
        let refused = (0..<4).contains { _ in client.receive()?.text.contains("they are dated 24 hours ahead") == true }
        #expect(refused && held.value.withLock { $0.count } == 1)
    }

    @Test func clientsReceiveChangesOfOthersOnly() throws {
        let server = try TestServer()
        let (one, two) = (SocketTestClient(server.port, "/any/path"), SocketTestClient(server.port))
        for client in [one, two] {
            client.command("LISTEN", "/listener/1/gain")
            #expect(client.receive()?.messages == [message("/listener/1/gain", .float(0))])
        }
        one.set("/listener/1/gain", .float(-3))
        #expect(two.receive()?.messages == [message("/listener/1/gain", .float(-3))])
        two.set("/listener/1/gain", .int(-4))
        // If the first client had received its own -3, that would come first.
        #expect(one.receive()?.messages == [message("/listener/1/gain", .float(-4))])
        #expect(server.perform { hub, _ in hub.value(hub.tree.index(ListenerParameter.gain)) } == .number(-4))
    }

    @Test func aContainerIsSentInBundlesOfLimitedSize() throws {
        let server = try TestServer { hub, _ in
            let text = String(repeating: "x", count: 5000)
            hub.publish(hub.tree.index(SessionParameter.recording), .text(text))
            hub.publish(hub.tree.index(DeviceParameter.name), .text(text))
        }
        let client = SocketTestClient(server.port)
        client.command("LISTEN", "/")
        let readable = server.perform { hub, _ in hub.tree.nodes.filter { $0.spec.access != .write }.count }
        var messages: [Message] = []
        var frames = 0
        while messages.count < readable, let frame = client.receive() {
            #expect(frame.payload.count <= 8192)
            messages += frame.messages
            frames += 1
        }
        #expect(messages.count == readable && frames >= 2)
        #expect(Set(messages.map(\.address)).count == readable)
        #expect(messages.contains(message("/listener/1/method", .string("two-band"))))
        #expect(messages.contains(message("/listener/1/mute", .bool(false))))
    }

    @Test func refusalsAreReportedToTheSender() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        func error() -> String? {
            guard let frame = client.receive(), frame.opcode == SocketTestClient.text,
                let json = try? JSONSerialization.jsonObject(with: Data(frame.payload)) as? [String: String],
                json["COMMAND"] == "ERROR"
            else { return nil }
            return json["DATA"]
        }
        client.set("/listener/1/gian", .float(0))
        #expect(error() == "no parameter at /listener/1/gian; did you mean /listener/1/gain?")
        client.set("/listener/1/gain", .float(40))
        #expect(error() == "/listener/1/gain: 40 is outside -60 to 12; 12 was set")
        client.set("/listener/1/method", .string("a\u{202E}b\u{7}"))
        #expect(error()?.hasPrefix("/listener/1/method has no choice \"a\\u{202E}b\\x07\"") == true)
        client.set("/engine/load", .float(1))
        #expect(error() == "/engine/load can only be read")
        client.command("LISTEN", "/listener/1/gainn")
        #expect(error() == "no parameter at /listener/1/gainn; did you mean /listener/1/gain?")
        client.command("JUMP", "/")
        #expect(error() == "there is no command JUMP; the commands are LISTEN, IGNORE and OWN")
        let json = "WebSocket: a text frame is not valid; expected {\"COMMAND\":TEXT,\"DATA\":TEXT} in JSON"
        for text in ["{\"COMMAND\":", "[]", "", "{\"COMMAND\":7}", String(repeating: "[", count: 30_000)] {
            client.send(SocketTestClient.text, Array(text.utf8))
            #expect(error() == json)
        }
        client.send(SocketTestClient.binary, [1, 2, 3])
        #expect(error() == "WebSocket: not OSC: length 3 is not a multiple of 4, at byte 0")
        let counts = server.perform { hub, _ in
            [EngineParameter.malformed, .unknown].map { hub.value(hub.tree.index($0)) }
        }
        #expect(counts == [.number(6), .number(1)])
    }

    @Test func bundlesApplyTogetherAndFragmentsAreJoined() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        let bundle = OSCPacket.bundle([
            OSCPacket.bytes("/listener/1/gain", [.float(-1)]), OSCPacket.bytes("/listener/2/gain", [.float(-2)]),
        ])
        client.send(SocketTestClient.binary, Array(bundle[..<10]), isLast: false)
        client.send(0, Array(bundle[10..<20]), isLast: false)
        client.send(0, Array(bundle[20...]))
        // As long a message as is served: the text is refused for its length, the rest of the bundle is not.
        let text = String(repeating: "r", count: 60_000)
        client.send(
            SocketTestClient.binary,
            OSCPacket.bundle([
                OSCPacket.bytes("/session/recording", [.string(text)]), OSCPacket.bytes("/listener/1/mute", [.bool(true)]),
            ]))
        #expect(client.isServed())
        let values = server.perform { hub, _ in
            [0, 1].map { hub.value(hub.tree.index(ListenerParameter.gain, $0)) }
                + [hub.value(hub.tree.index(SessionParameter.recording)), hub.value(hub.tree.index(ListenerParameter.mute, 0))]
        }
        #expect(values == [.number(-1), .number(-2), .text(""), .number(1)])
    }

    @Test func aMessageThatIsTooLongEndsTheConnection() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        client.send(SocketTestClient.binary, .init(repeating: 0, count: 70_000))
        let end = client.receive()
        #expect(end?.opcode == SocketTestClient.close)
        #expect(end.map { Array($0.payload.prefix(2)) } == [3, 241])  // 1009
        #expect(Answer.get(server.port, "/listener/1/gain?VALUE")?.status == 200)
    }

    @Test func aClientThatVanishesDoesNotAffectOthers() throws {
        let server = try TestServer()
        let staying = SocketTestClient(server.port)
        staying.command("LISTEN", "/listener/1/gain")
        _ = staying.receive()
        for size in [0, 1, 3, 8, 500] {
            let leaving = SocketTestClient(server.port)
            leaving.command("LISTEN", "/")
            leaving.raw.send(Array((SocketTestClient.header(SocketTestClient.binary, 1000) + .init(repeating: 7, count: 500))[..<size]))
            leaving.raw.close()
        }
        #expect(server.until { _, server in server.connections.count == 1 })
        server.perform { hub, _ in hub.publish(hub.tree.index(ListenerParameter.gain), .number(-20)) }
        #expect(staying.receive()?.messages == [message("/listener/1/gain", .float(-20))])
    }

    @Test func aSlowClientMissesIntermediateValuesOnly() throws {
        let server = try TestServer()
        let slow = SocketTestClient(server.port, receiveBuffer: 4096)
        slow.command("LISTEN", "/session/recording")
        #expect(slow.receive()?.messages.count == 1)
        // 1200 times 10 kB are more than the kernel buffers on both sides.
        for i in 1...1200 {
            server.perform { hub, _ in
                hub.publish(
                    hub.tree.index(SessionParameter.recording), .text("\(i) " + String(repeating: "x", count: 10_000)))
            }
        }
        var count = 0
        var last = ""
        while !last.hasPrefix("1200 "), let frame = slow.receive() {
            count += 1
            if case .string(let text)? = frame.messages.first?.arguments.first { last = text }
        }
        #expect(last.hasPrefix("1200 "))
        #expect(count < 600)
    }

    @Test func repliesToAClientThatDoesNotReadAreBounded() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        // All of them arrive before the first reply can be written: they are in one bundle.
        let wrong = (0..<100).map { OSCPacket.bytes("/nothing/\($0)", []) }
        client.send(SocketTestClient.binary, OSCPacket.bundle(wrong))
        client.command("LISTEN", "/listener/1/gain")
        var texts: [String] = []
        while let frame = client.receive(), frame.opcode == SocketTestClient.text { texts.append(frame.text) }
        #expect(texts.count == 32)
        #expect(texts.last == "{\"COMMAND\":\"ERROR\",\"DATA\":\"no parameter at /nothing/99\"}")
    }

    @Test func pagesOfOtherSitesAreRefused() throws {
        let log = Holder(Mutex<[String]>([]))
        let server = try TestServer(allowedHosts: ["Hall.example"]) { hub, _ in
            hub.onLog = { line, _ in log.value.withLock { $0.append(line) } }
        }
        for origin in ["http://evil.example", "http://127.0.0.1", "null", "https://127.0.0.1:\(server.port)0"] {
            #expect(SocketTestClient(server.port, headers: ["Origin": origin]).status == 403, "\(origin)")
            #expect(SocketTestClient(server.port, "/audio/1", headers: ["Origin": origin]).status == 403, "\(origin)")
        }
        #expect(
            log.value.withLock { $0 } == [
                "a request from a page of http://evil.example was refused: the page is not from 127.0.0.1:\(server.port)",
                "a request from a page of http://127.0.0.1 was refused: the page is not from 127.0.0.1:\(server.port)",
                "a request from a page of null was refused: the page is not from 127.0.0.1:\(server.port)",
                "a request from a page of https://127.0.0.1:\(server.port)0 was refused: the page is not from 127.0.0.1:\(server.port)",
            ])
        for (origin, host) in [
            ("http://127.0.0.1:\(server.port)", "127.0.0.1:\(server.port)"), ("https://hall.example", "hall.example"),
            ("http://[::1]:8080", "[::1]:8080"), ("http://LocalHost", "localhost:80"),
        ] {
            #expect(SocketTestClient(server.port, headers: ["Origin": origin, "Host": host]).status == 101, "\(origin)")
        }
    }

    @Test func changesOfTheNamespaceAreAnnounced() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        #expect(client.isServed())
        server.perform { _, server in
            server.query.announceChange("/array/azimuth")
            server.query.announceChange("/array/azimuth")
            server.query.announceChange("/meter")
        }
        #expect(client.receive()?.text == "{\"COMMAND\":\"PATH_CHANGED\",\"DATA\":\"/array/azimuth\"}")
        #expect(client.receive()?.text == "{\"COMMAND\":\"PATH_CHANGED\",\"DATA\":\"/meter\"}")
    }

    /// A client that reads the tree first would miss what changes before its WebSocket is open.
    @Test func changesSinceTheTreeWasReadAreAnnouncedWhenASocketOpens() throws {
        let server = try TestServer()
        let version = try #require(Answer.get(server.port, "/")?.headers["namespace-version"])
        let current = SocketTestClient(server.port, "/?namespace=\(version)")
        #expect(current.isServed())
        server.perform { _, server in server.query.announceChange("/meter") }
        #expect(current.receive()?.text == "{\"COMMAND\":\"PATH_CHANGED\",\"DATA\":\"/meter\"}")
        let late = SocketTestClient(server.port, "/?namespace=\(version)")
        #expect(late.receive()?.text == "{\"COMMAND\":\"PATH_CHANGED\",\"DATA\":\"/meter\"}")
        // A version of another run, or one that is too old.
        for unknown in ["x-0", "1", "\(version)9"] {
            let client = SocketTestClient(server.port, "/?namespace=\(unknown)")
            #expect(client.receive()?.text == "{\"COMMAND\":\"PATH_CHANGED\",\"DATA\":\"/\"}", "\(unknown)")
        }
        #expect(Answer.get(server.port, "/")?.headers["namespace-version"] != version)
    }

    @Test func addedRemovedAndRenamedPathsAreAnnounced() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        #expect(client.isServed())
        server.perform { hub, _ in
            let coming = ["/rack/input/slot/1/mix", "/rack/input/slot/1/level"].map {
                TransientParameter($0, RackBranchParameter.mix.spec, .number(1))
            }
            let slots = hub.exchange([], for: coming, containers: ["/rack/input/slot/1": "A place."])
            hub.rename(slots.map { ($0, nil) }, from: "/rack/input/slot/1", to: "/rack/input/slot/7")
            _ = hub.exchange(slots, for: [], containers: ["/rack/input/slot/7": nil])
        }
        #expect(client.receive()?.text == "{\"COMMAND\":\"PATH_ADDED\",\"DATA\":\"/rack/input/slot\"}")
        let renamed = "{\"COMMAND\":\"PATH_RENAMED\",\"DATA\":{\"NEW\":\"/rack/input/slot/7\",\"OLD\":\"/rack/input/slot/1\"}}"
        #expect(client.receive()?.text == renamed)
        #expect(client.receive()?.text == "{\"COMMAND\":\"PATH_REMOVED\",\"DATA\":\"/rack/input/slot\"}")
    }

    /// A client far behind gets one message to read everything again instead of a thousand changes.
    @Test func aThousandChangesAreAnnouncedAsOne() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        #expect(client.isServed())
        server.perform { hub, _ in
            func coming(_ address: String) -> TransientParameter { .init(address, RackBranchParameter.mix.spec, .number(1)) }
            for _ in 0..<500 { _ = hub.exchange(hub.exchange([], for: [coming("/rack/input/slot/1/mix")]), for: []) }
            _ = hub.exchange([], for: [coming("/rack/input/last/mix")])
        }
        var texts: [String] = []
        while let text = client.receive()?.text {
            texts.append(text)
            if text.contains("last") { break }
        }
        #expect(texts.first == "{\"COMMAND\":\"PATH_CHANGED\",\"DATA\":\"/\"}" && texts.count <= 256)
    }

    @Test func timersRepeatUntilTheServerStops() throws {
        let ticks = Holder(Atomic<Int>(0))
        let server = try TestServer { _, server in
            server.loop.every(5) { ticks.value.add(1, ordering: .relaxed) }
        }
        #expect(server.until { _, _ in ticks.value.load(ordering: .relaxed) >= 10 })
    }
}
