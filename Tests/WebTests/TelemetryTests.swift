import Foundation
import Hub
import OSCControl
import Parameters
import RenderInterface
import TestSupport
import Testing

@testable import Query

@Suite struct TelemetryTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "protocol/conversations")

    func connect(_ server: TestServer, receiveBuffer: Int32? = nil) -> SocketTestClient {
        SocketTestClient(
            server.port, headers: ["Sec-WebSocket-Protocol": "vestibule.telemetry.v1"], receiveBuffer: receiveBuffer)
    }

    func json(_ frame: SocketTestClient.Frame?) -> [String: Any] {
        guard let frame else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(frame.payload)) as? [String: Any]) ?? [:]
    }

    func subscribe(_ client: SocketTestClient, _ topics: [String], rate: Int = 60, format: String = "json") -> [String: Any] {
        let names = topics.map { "\"\($0)\"" }.joined(separator: ",")
        client.send(
            SocketTestClient.text,
            Array("{\"type\":\"subscribe\",\"topics\":[\(names)],\"rate\":\(rate),\"format\":\"\(format)\"}".utf8))
        while let frame = client.receive() {
            let message = json(frame)
            if message["type"] as? String == "subscribed" || message["type"] as? String == "error" { return message }
        }
        return [:]
    }

    /// A report of the renderer with a given peak.
    static func delta(_ peak: Float, blocks: Int64 = 1) -> TelemetryDelta {
        var engine = EngineFrame()
        (engine.blocks, engine.samples, engine.busy, engine.worst) = (blocks, blocks * 64, blocks * 100_000, 250_000)
        let levels = Levels(peak: [peak, 0.5], energy: [1, 4], frames: 16)
        let pose = HeadPose(quaternion: .init(0.5, 0.5, 0.5, 0.5), id: 7, receiveTime: 1)
        return TelemetryDelta(
            engine: engine, microphones: levels,
            listeners: [.init(levels: levels, reduction: 4 * peak, pose: pose), .init(levels: levels, pose: .ahead)],
            slots: [.init(rack: 1, number: 4, level: 0.5, reduction: 0), .init(rack: 2, number: 3, level: peak, reduction: 8 - 8 * peak)])
    }

    @Test func theFirstFrameListsTopicsAndFormats() throws {
        let server = try TestServer()
        let client = connect(server)
        #expect(client.status == 101)
        let hello = json(client.receive())
        #expect(hello["type"] as? String == "hello" && hello["protocol"] as? String == "vestibule.telemetry.v1")
        let topics = ["meters", "engine", "latency", "poses", "trackers", "transport", "clients", "log", "streams"]
        #expect(hello["topics"] as? [String] == topics)
        let stream = try #require(hello["stream"] as? String)
        #expect(stream.count == 16)
        let answer = subscribe(client, ["meters", "clients", "transport"], rate: 120)
        #expect(answer["rates"] as? [String: Int] == ["meters": 120, "clients": 2, "transport": 60])
        #expect(answer["stream"] as? String == stream)
        #expect(json(connect(server).receive())["stream"] as? String == stream)
        #expect(json(connect(try TestServer()).receive())["stream"] as? String != stream)
    }

    @Test func wrongRequestsAreAnsweredWithAReason() throws {
        let server = try TestServer()
        let client = connect(server)
        _ = client.receive()
        #expect(
            subscribe(client, ["weather"])["text"] as? String
                == "there is no topic weather; the topics are meters, engine, latency, poses, trackers, transport, clients, log, streams")
        #expect(subscribe(client, ["meters"], rate: 121)["text"] as? String == "the rate is out of range; it is 1 to 120 frames per second")
        #expect(subscribe(client, ["meters"], rate: 0)["text"] as? String == "the rate is out of range; it is 1 to 120 frames per second")
        #expect(
            subscribe(client, ["meters"], format: "xml")["text"] as? String == "there is no format xml; the formats are json and binary")
        client.send(SocketTestClient.text, Array(String(repeating: "[", count: 60_000).utf8))
        #expect((json(client.receive())["text"] as? String)?.hasPrefix("the message is not valid;") == true)
        client.send(SocketTestClient.binary, [1, 2, 3])
        #expect(json(client.receive())["type"] as? String == "error")
    }

    @Test func peaksAreTheLargestSinceTheLastFrame() throws {
        let server = try TestServer()
        let client = connect(server)
        _ = subscribe(client, ["meters"], rate: 5)
        // All within one period of a fifth of a second: the frame has the largest peak, and the mean square of all.
        server.perform { _, server in for peak: Float in [0.25, 0.75, 0.5] { server.telemetry.report(Self.delta(peak)) } }
        let frame = json(client.receive())
        #expect(frame["topic"] as? String == "meters")
        let data = try #require(frame["data"] as? [String: Any])
        let microphones = try #require(data["microphones"] as? [String: [Double]])
        #expect(microphones["peak"] == [0.75, 0.5] && microphones["rms"] == [0.25, 0.5])
        let listeners = try #require(data["listeners"] as? [[String: Any]])
        #expect(listeners.map { $0["peak"] as? [Double] } == [[0.75, 0.5], [0.75, 0.5]])
        #expect(listeners.map { $0["reduction"] as? Double } == [3, 0])
        // The largest value of each slot during the period.
        let slots = try #require(data["slots"] as? [[String: Any]])
        #expect(slots.map { $0["rack"] as? String } == ["input", "listener/1"] && slots.map { $0["slot"] as? Int } == [4, 3])
        #expect(slots.map { $0["level"] as? Double } == [0.5, 0.75] && slots.map { $0["reduction"] as? Double } == [0, 6])
        server.perform { _, server in server.telemetry.report(Self.delta(0.125)) }
        let next = json(client.receive())
        #expect(((next["data"] as? [String: Any])?["microphones"] as? [String: [Double]])?["peak"] == [0.125, 0.5])
        #expect(try #require(next["sequence"] as? Int) > #require(frame["sequence"] as? Int))
    }

    @Test func eachClientHasItsOwnRate() throws {
        let server = try TestServer { _, server in
            server.telemetry.collect = { [unowned server] in server.telemetry.report(Self.delta(0.5)) }
        }
        let (slow, fast) = (connect(server), connect(server))
        _ = subscribe(slow, ["meters"], rate: 10)
        _ = subscribe(fast, ["meters"], rate: 100)
        // Numbers of frames, and the earliest and latest beginning of the stream of which their times are the times.
        func frames(_ client: SocketTestClient, rate: Int, count: Int) throws -> (numbers: [Int], from: Int, to: Int) {
            var (numbers, from, to) = ([Int](), Int.min, Int.max)
            for _ in 0..<count {
                let frame = json(client.receive())
                let (number, time) = (try #require(frame["sequence"] as? Int), try #require(frame["time"] as? Int))
                numbers.append(number)
                from = max(from, time - (number + 1) * 1_000_000_000 / rate)
                to = min(to, time - number * 1_000_000_000 / rate)
            }
            return (numbers, from, to)
        }
        let (few, many) = (try frames(slow, rate: 10, count: 5), try frames(fast, rate: 100, count: 50))
        for numbers in [few.numbers, many.numbers] { #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }) }
        // Sequence numbers count periods of the rate since the beginning, which both have in common.
        #expect(max(few.from, many.from) <= min(few.to, many.to), "\(few), \(many)")
    }

    @Test func manyClientsAreDividedIntoGroups() throws {
        let server = try TestServer { _, server in
            server.telemetry.collect = { [unowned server] in server.telemetry.report(Self.delta(0.5)) }
        }
        let clients = (0..<TelemetryGroup.mostClients + 2).map { _ in connect(server) }
        for client in clients { _ = subscribe(client, ["meters"], rate: 5) }
        // The time of each period's frame, for each client. On a busy machine the first clients have had many when the last ones subscribe.
        var times = clients.map { _ in [Int: Int]() }
        var shared: Int?
        for _ in 0..<1000 where shared == nil {
            for (number, client) in clients.enumerated() {
                let received = try #require(client.receive())
                let frame = json(received)
                if let sequence = frame["sequence"] as? Int { times[number][sequence] = frame["time"] as? Int }
            }
            // After a stall both groups may be due at once.
            shared = times[0].keys.first { period in
                times.allSatisfy { $0[period] != nil } && times[0][period] != times[times.count - 1][period]
            }
        }
        let period = try #require(shared)
        let first = times.prefix(TelemetryGroup.mostClients).map { $0[period] }
        let second = times.suffix(2).map { $0[period] }
        #expect(Set(first).count == 1 && Set(second).count == 1 && first[0] != second[0])
    }

    /// After some periods without a call, each call writes to one group, with the newest content, and none is left out.
    @Test func lateGroupsAreWrittenToInTurns() throws {
        let hub = Hub(store: ParameterStore(ParameterTree(listeners: 1, methods: ["linear"])), matches: OSCAddressPattern.matches)
        let service = TelemetryService(hub: hub)
        service.collect = { [unowned service] in service.report(Self.delta(0.5)) }
        let most = TelemetryGroup.mostClients
        var sent: [Int] = []
        let clients = (0..<3 * most).map { number in
            TelemetryClient(service, hiding: nil, wake: {}) { _ in
                sent.append(number)
                return true
            }
        }
        for client in clients {
            while client.nextFrame() != nil {}
            service.subscribe(client, 0, rate: 60)
        }
        stimulus(milliseconds: 50)
        var turns: [[Int]] = []
        for turn in 0..<3 {
            sent = []
            let wait = service.tick()
            #expect(turn == 2 || wait == 1)
            turns.append(sent)
            // Longer than the interval between two reports.
            stimulus(milliseconds: 3)
        }
        #expect(turns.map(\.count) == [most, most, most])
        #expect(Set(turns.joined()).count == 3 * most)
        withExtendedLifetime(clients) {}
    }

    @Test func aSlowClientGetsOneMergedFrame() throws {
        let server = try TestServer()
        let client = connect(server, receiveBuffer: 4096)
        _ = subscribe(client, ["log"], rate: 60)
        _ = client.receive()
        // Frames of 30 kB until the kernel buffers are full; further lines are merged in the place. All are soon sent: without pongs the
        // connection ends after half a minute.
        let line = String(repeating: "x", count: 1000)
        for i in 1...60 {
            server.perform { _, server in for part in 0..<30 { server.telemetry.note("\(i).\(part) \(line)") } }
            stimulus(milliseconds: 17)
        }
        server.perform { _, server in server.telemetry.note("the end") }
        var merged = 0
        var last = ""
        while last != "the end", let frame = client.receive() {
            let message = json(frame)
            if message["merged"] as? Bool == true { merged += 1 }
            let lines = message["data"] as? [[String: Any]] ?? []
            #expect(lines.count <= 256)
            last = lines.last?["text"] as? String ?? last
        }
        #expect(last == "the end" && merged > 0)
    }

    @Test func binaryFramesMatchTheProtocol() throws {
        let server = try TestServer { hub, _ in
            hub.publish(hub.tree.index(EngineParameter.period), .number(48))
            hub.publish(hub.tree.index(EngineParameter.rate), .number(48_000))
        }
        let client = connect(server)
        _ = subscribe(client, ["meters", "engine", "poses"], rate: 5, format: "binary")
        server.perform { _, server in
            server.telemetry.report(Self.delta(0.25, blocks: 10))
            server.telemetry.report(Self.delta(0.75, blocks: 12))
        }
        var frames: [UInt8: [UInt8]] = [:]
        while frames.count < 3, let frame = client.receive() {
            #expect(frame.opcode == SocketTestClient.binary && frame.payload[0] == 1)
            frames[frame.payload[1]] = frame.payload
        }
        func float(_ topic: UInt8, _ offset: Int) -> Float {
            frames[topic]!.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Float.self) }
        }
        func integer(_ topic: UInt8, _ offset: Int) -> UInt64 {
            frames[topic]!.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        try #require(frames.count == 3)
        #expect(frames[1]!.count == 16 + 4 + 4 * (2 + 2 + 4 + 4) + 4 * 12)
        // The limiters before the ears of both listeners, then two effects.
        #expect(frames[1]![68...].prefix(4) == [2, 0, 0, 0] && frames[1]![80...].prefix(4) == [3, 0, 0, 0])
        #expect(float(1, 72) == 0.75 && float(1, 76) == 3 && float(1, 84) == 0.75 && float(1, 88) == 0)
        #expect(frames[1]![92...].prefix(4) == [1, 0, 4, 0] && frames[1]![104...].prefix(4) == [2, 0, 3, 0])
        #expect(float(1, 96) == 0.5 && float(1, 100) == 0 && float(1, 108) == 0.75 && float(1, 112) == 6)
        #expect(frames[1]![16...].prefix(4) == [2, 0, 2, 0])
        #expect(float(1, 20) == 0.75 && float(1, 24) == 0.5 && float(1, 28) == 0.25 && float(1, 32) == 0.5)
        #expect(float(1, 36) == 0.75 && float(1, 44) == 0.25)
        #expect(frames[2]!.count == 16 + 32 + 8 && integer(2, 16) == 12 && integer(2, 24) == 768)
        // Two blocks of 0.1 ms each in periods of 1 ms; the worst took 0.25 ms.
        #expect(abs(float(2, 48) - 0.1) < 1e-6 && abs(float(2, 52) - 0.25) < 1e-6)
        #expect(frames[4]!.count == 16 + 4 + 2 * 28 && float(4, 20) == 0.5 && integer(4, 40) == 7)
        #expect(float(4, 36) > 0 && float(4, 64) == -1)
    }

    @Test func stateIsSentAtOnceAndThenWhenItChanges() throws {
        let server = try TestServer()
        let client = connect(server)
        _ = subscribe(client, ["transport", "log"])
        var first: [String: [String: Any]] = [:]
        while first.count < 2, let frame = client.receive() { first[json(frame)["topic"] as? String ?? ""] = json(frame) }
        #expect(first["transport"]?["snapshot"] as? Bool == true && first["log"]?["snapshot"] as? Bool == true)
        #expect((first["transport"]?["data"] as? [String: Any])?["state"] as? String == "stopped")
        #expect(client.receive(within: 0.2) == nil)
        server.perform { hub, server in
            hub.publish(hub.tree.index(TransportParameter.state), .number(1))
            server.telemetry.note("a line")
        }
        var texts: Set<String> = []
        while texts.count < 2, let frame = client.receive() {
            let data = json(frame)["data"]
            if let transport = data as? [String: Any] { texts.insert(transport["state"] as? String ?? "") }
            if let lines = data as? [[String: Any]] { texts.formUnion(lines.compactMap { $0["text"] as? String }) }
        }
        #expect(texts == ["playing", "a line"])
    }

    @Test func clientsAreListed() throws {
        let server = try TestServer()
        let (client, other) = (connect(server), SocketTestClient(server.port))
        #expect(other.isServed())
        _ = subscribe(client, ["clients"])
        let data = try #require(json(client.receive())["data"] as? [[String: Any]])
        #expect(data.compactMap { $0["kind"] as? String } == ["telemetry", "query"])
        #expect(data.allSatisfy { $0["address"] as? String == "127.0.0.1" })
    }

    /// protocol/conversations/telemetry.json: messages of a client and the answers, apart from values that differ in every run.
    @Test func theRecordedConversationIsReproduced() throws {
        struct Step: Decodable {
            let send: String?
            let receive: String?
        }
        let steps = try JSONDecoder().decode(
            [Step].self, from: Data(contentsOf: Self.folder.appending(path: "telemetry.json")))
        let server = try TestServer { hub, _ in
            hub.publish(hub.tree.index(EngineParameter.period), .number(48))
            hub.publish(hub.tree.index(EngineParameter.rate), .number(48_000))
        }
        let client = connect(server)
        for step in steps {
            if let text = step.send {
                if text == "render" {
                    server.perform { _, server in
                        server.telemetry.report(Self.delta(0.25, blocks: 10))
                        server.telemetry.report(Self.delta(0.75, blocks: 12))
                    }
                } else {
                    client.send(SocketTestClient.text, Array(text.utf8))
                }
            }
            guard let expected = step.receive else { continue }
            #expect(Self.steady(client.receive()?.text ?? "nothing") == Self.steady(expected))
        }
    }

    /// Replaces values that differ in every run.
    static func steady(_ text: String) -> String {
        var text = text
        for (name, value) in [("sequence", "[0-9]+"), ("time", "[0-9.]+"), ("stream", "\"[0-9a-f]+\""), ("age", "[0-9.e+]+")] {
            text = text.replacingOccurrences(of: "\"\(name)\":\(value)", with: "\"\(name)\":0", options: .regularExpression)
        }
        return text
    }
}
