import Crossing
import Foundation
import Hub
import ListenerStreams
import Streaming
import Synchronization
import TestSupport
import Testing

@Suite struct StreamSocketTests {
    /// Stands in for the audio thread: a sine on the left, and one of another frequency on the right.
    final class Engine: @unchecked Sendable {
        // SAFETY: used by the test's thread only, except for the atomic.
        private var ring: FrameRing.Producer
        let position = Atomic<Int>(0)
        static let frequencies = [1000.0, 440.0]

        init(_ ring: consuming FrameRing.Producer) { self.ring = ring }

        func render(_ frames: Int) {
            let start = position.load(ordering: .relaxed)
            let samples = (start..<(start + frames)).flatMap { (frame: Int) -> [Float] in
                let turns: [Double] = Self.frequencies.map { $0 * Double(frame) / 48_000 }
                return turns.map { Float(0.4 * sin(2 * Double.pi * $0)) }
            }
            _ = ring.write(samples, frames: frames)
            position.store(start + frames, ordering: .releasing)
        }
    }

    func make(rate: Int = 48_000, settings: String? = nil) throws -> (TestServer, Engine) {
        let ring = FrameRing(channels: 2, capacity: 16_384)
        let engine = Engine(ring.producer)
        let source = Holder(Mutex<FrameRing.Consumer?>(ring.consumer))
        let server = try TestServer { _, server in
            server.streams.describe = { _ in settings }
            server.streams.add(
                AudioStream(
                    listener: 1, rate: rate, source: source.value.withLock { $0.take()! },
                    position: { Int64(engine.position.load(ordering: .acquiring)) }, hear: { _, _ in }))
        }
        return (server, engine)
    }

    func number(_ bytes: ArraySlice<UInt8>) -> Int {
        var number = 0
        for byte in bytes.reversed() { number = number << 8 | Int(byte) }
        return number
    }

    /// The next packet or hello; questions about times are answered.
    func next(_ client: SocketTestClient, links: Bool = false) -> SocketTestClient.Frame? {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            guard let frame = client.receive() else { return nil }
            if !links, frame.opcode == SocketTestClient.text, frame.text.contains("\"type\":\"link\"") { continue }
            guard answers(frame, client) else { return frame }
        }
        return nil
    }

    /// Answers a question about times; returns false for all other frames.
    func answers(_ frame: SocketTestClient.Frame, _ client: SocketTestClient) -> Bool {
        guard frame.opcode == SocketTestClient.text, frame.text.contains("\"type\":\"time\"") else { return false }
        let id = frame.text.filter(\.isNumber)
        say(client, "{\"type\":\"time\",\"id\":\(id),\"received\":5,\"answered\":5}")
        return true
    }

    func say(_ client: SocketTestClient, _ text: String) { client.send(SocketTestClient.text, Array(text.utf8)) }

    @Test func equalEncodingsAreSharedAndOthersAreNot() throws {
        let (server, engine) = try make()
        let paths = ["?format=opus&bitrate=64000", "?bitrate=64000&format=opus", "?format=opus&bitrate=128000", ""]
        let clients = paths.map { SocketTestClient(server.port, "/audio/1\($0)") }
        let hellos = clients.map { next($0)?.text ?? "" }
        #expect(hellos[0] == hellos[1] && hellos[2].contains("128000") && hellos[3].hasSuffix("\"format\":\"s16le\"}"))
        engine.render(960)
        let packets = clients.map { next($0)?.payload ?? [] }
        #expect(packets[0] == packets[1] && packets[0].count > 16)
        #expect(packets[2].count > packets[0].count && packets[3].count == 16 + 4 * 480)
    }

    @Test func aMessageChangesTheStreamWhileItPlays() throws {
        let (server, engine) = try make()
        let client = SocketTestClient(server.port, "/audio/1")
        #expect(next(client)?.text.contains("s16le") == true)
        engine.render(480)
        #expect(next(client)?.payload.count == 16 + 4 * 480)
        for (wish, frames, format) in [
            ("\"format\":\"opus\",\"frame\":20", 960, "opus"), ("\"format\":\"s16le\",\"frame\":5", 240, "s16le"),
        ] {
            say(client, "{\"type\":\"stream\",\"adapt\":false,\(wish)}")
            var hello = next(client)
            while hello?.opcode == SocketTestClient.binary { hello = next(client) }
            #expect(hello?.text.contains("\"frames\":\(frames),") == true && hello?.text.contains("\"format\":\"\(format)\"") == true)
            engine.render(960)
            let packet = try #require(next(client)).payload
            #expect(number(packet[4..<8]) == frames)
        }
    }

    @Test func onlyThoseWhoAskAreToldTheSettings() throws {
        let settings = "{\"type\":\"listener\",\"method\":\"ring\"}"
        let (server, engine) = try make(settings: settings)
        let clients = ["", "&settings=0", "&settings=1"].map { SocketTestClient(server.port, "/audio/1?format=opus&adapt=0\($0)") }
        for client in clients { #expect(next(client)?.text.contains("\"rate\"") == true) }
        #expect(next(clients[2])?.text == settings)
        engine.render(960)
        for client in clients { #expect(next(client)?.opcode == SocketTestClient.binary) }
        say(clients[0], "{\"type\":\"stream\",\"settings\":true}")
        var answers: [String] = []
        while answers.count < 2, let frame = next(clients[0]) {
            if frame.opcode == SocketTestClient.text { answers.append(frame.text) }
        }
        #expect(answers.first?.contains("\"rate\"") == true && answers.last == settings)
    }

    @Test func anotherRateIsPlainAndTellsTheReason() throws {
        let (server, engine) = try make(rate: 44_100)
        let client = SocketTestClient(server.port, "/audio/1?format=opus")
        let hello = try #require(next(client)).text
        #expect(hello.contains("\"format\":\"s16le\"") && hello.contains("Opus needs 48000 frames per second"))
        engine.render(441)
        #expect(next(client)?.payload.count == 16 + 4 * 441)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", "{\"type\":1}", "{\"type\":\"stream\",\"bitrate\":1}", "{\"type\":\"stream\",\"bitrate\":\"x\"}",
        "{\"type\":\"stream\",\"frame\":7}", "{\"type\":\"stream\",\"frame\":20,\"longest\":10}",
        "{\"type\":\"stream\",\"bitrate\":64000,\"lowest\":64001}", "{\"type\":\"stream\",\"adapt\":2}",
        "{\"type\":\"stream\",\"format\":\"mp3\\\"\"}", "{\"type\":\"report\"}",
        "{\"type\":\"report\",\"packets\":-1}", "{\"type\":\"report\",\"packets\":1e300}", "{\"type\":\"time\",\"id\":1}",
        "{\"type\":\"\\\"}", "{\"type\":\"nonsense\"}", String(repeating: "[", count: 5000),
    ])
    func badMessagesAreAnsweredAndTheSoundGoesOn(_ text: String) throws {
        let (server, engine) = try make()
        let client = SocketTestClient(server.port, "/audio/1?format=opus&adapt=0")
        #expect(next(client) != nil)
        say(client, text)
        let answer = try #require(next(client)).text
        #expect(answer.hasPrefix("{\"type\":\"error\",\"text\":\""))
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(answer.utf8)) }
        engine.render(480)
        #expect(next(client)?.opcode == SocketTestClient.binary)
    }

    @Test(arguments: [
        ("bitrate=12", "bitrate is out of range; it is 32000 to 256000 bits per second"),
        ("adapt=2", "adapt is not possible; it is 0 or 1"),
        ("adapt=", "adapt is not possible; it is 0 or 1"),
        ("settings=yes", "settings is not possible; it is 0 or 1"),
        ("bitrate=64000&lowest=96000", "lowest is 96000, above the highest bitrate 64000"),
        ("frame=20&longest=10", "frame is 20 milliseconds, above the longest packet of 10"),
    ])
    func badQueriesArePlainlyTold(_ query: String, _ reason: String) throws {
        let (server, _) = try make()
        let hello = try #require(next(SocketTestClient(server.port, "/audio/1?format=opus&\(query)"))).text
        #expect(hello.contains("\"reason\":\"\(reason)\""))
    }

    @Test func wishesThatContradictEarlierOnesAreRefused() throws {
        let (server, engine) = try make()
        let client = SocketTestClient(server.port, "/audio/1?format=opus&bitrate=64000&frame=10&adapt=0")
        #expect(next(client) != nil)
        for wish in ["\"lowest\":96000", "\"longest\":5"] {
            say(client, "{\"type\":\"stream\",\(wish)}")
            #expect(next(client)?.text.hasPrefix("{\"type\":\"error\",") == true)
        }
        engine.render(480)
        #expect(next(client)?.opcode == SocketTestClient.binary)
    }

    @Test func measurementsOfBothEndsAreKnown() throws {
        let (server, engine) = try make()
        let client = SocketTestClient(server.port, "/audio/1?format=opus")
        #expect(next(client) != nil)
        engine.render(4800)
        // The sound continues, whatever the client receives: after late packets there are no questions until others have arrived.
        func report(_ packets: Int) {
            say(
                client,
                "{\"type\":\"report\",\"packets\":\(packets),\"late\":2,\"concealed\":12.5,\"buffer\":40,\"target\":35,\"drift\":-20}")
        }
        var packets = 100
        var link: SocketTestClient.Frame?
        waitUntil("the client is told of its connection", every: 0) {
            engine.render(480)
            report(packets)
            packets += 1
            while link == nil, client.raw.hasBytes(within: 0.01), let frame = client.receive() {
                if !answers(frame, client), frame.text.contains("\"type\":\"link\"") { link = frame }
            }
            return link != nil
        }
        #expect(link?.text.contains("\"group\":0.0") == true)
        let isKnown = server.until { _, server in
            guard let state = server.streams.statistics(listener: 1) else { return false }
            return state.report.late == 2 && state.report.drift == -20 && state.roundTrip > 0 && state.encoding.codec == .opus
        }
        #expect(isKnown)
    }

    @Test func aNetworkThatTakesNothingDoesNotFillTheServer() throws {
        let (server, engine) = try make()
        let slow = SocketTestClient(server.port, "/audio/1?format=opus&bitrate=256000", receiveBuffer: 2048)
        #expect(next(slow) != nil)
        let watcher = SocketTestClient(server.port, "/audio/1")
        #expect(next(watcher) != nil)
        // No longer than it takes: without pongs the connection ends after half a minute.
        let isLow = waitUntil("the cheapest encoding is chosen", every: 0) {
            engine.render(480)
            _ = watcher.receive()
            return server.perform { _, server in server.streams.statistics(listener: 1)?.encoding.bitrate == 32_000 }
        }
        #expect(isLow)
    }
}
