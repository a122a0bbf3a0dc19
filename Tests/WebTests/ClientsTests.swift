import CRealtime
import Foundation
import Hub
import OSCControl
import Parameters
import TestSupport
import Testing

@testable import Web

/// The list of connected clients, and ending their connections.
@Suite struct ClientsTests {
    /// The current content of the clients topic.
    func clients(_ server: TestServer) throws -> [[String: Any]] {
        let telemetry = TelemetryTests()
        let display = telemetry.connect(server)
        _ = telemetry.subscribe(display, ["clients"])
        defer { display.raw.close() }
        return try #require(telemetry.json(display.receive())["data"] as? [[String: Any]])
    }

    @Test func roundTripsAreMeasuredByPings() throws {
        let server = try TestServer()
        let opened = rt_now()
        let (good, rude) = (SocketTestClient(server.port), SocketTestClient(server.port))
        (good.answersPings, rude.answersPings) = (false, false)
        #expect(good.isServed() && rude.isServed())
        let begun = rt_now()
        good.answersPings = true
        var found: [[String: Any]] = []
        try waitUntil("a round trip is known", every: 0) {
            // The test client answers pings while it reads.
            for client in [good, rude] { _ = client.receive(within: 0.2) }
            found = try clients(server)
            return found.first?["round_trip"] != nil
        }
        try #require(found.count >= 2)
        let roundTrip = try #require(found[0]["round_trip"] as? Double)
        #expect(roundTrip > 0 && roundTrip < Double(rt_now() - opened) / 1e6)
        #expect(found[1]["round_trip"] == nil && found[1]["kind"] as? String == "query")
        // A pong that answers no ping is ignored.
        rude.send(SocketTestClient.pong, [1, 2, 3, 4, 5, 6, 7, 8])
        rude.send(SocketTestClient.pong, [])
        #expect(rude.isServed())
        #expect(try clients(server)[1]["round_trip"] == nil)
        // Nor does it keep the connection, half a minute after that has begun: only answers show that pings arrive.
        server.perform { _, server in server.connections.check(now: begun + 30_000_000_001) }
        #expect(server.until { _, server in server.connections.count == 1 })
        #expect(good.isServed())
    }

    @Test func oneClientIsKickedAndTheOthersStay() throws {
        let server = try TestServer()
        let (one, other) = (SocketTestClient(server.port), SocketTestClient(server.port))
        #expect(one.isServed() && other.isServed())
        let id = try #require(clients(server)[0]["id"] as? Int)
        #expect(server.perform { _, server in server.connections.kick(id) })
        let end = try #require(one.receive())
        #expect(end.opcode == SocketTestClient.close && end.payload.prefix(2) == [0x0F, 0xA2])  // 4002.
        #expect(other.isServed())
        #expect(server.until { _, server in !server.connections.kick(id) })
        #expect(!server.perform { _, server in server.connections.kick(999) })
    }

    @Test func aClientThatDoesNotReadCanBeKicked() throws {
        let server = try TestServer()
        let stuck = SocketTestClient(server.port, receiveBuffer: 2048)
        stuck.command("LISTEN", "/session/recording")
        // Many times what the kernel keeps, and soon sent: without pongs the connection ends after half a minute.
        for round in 0..<200 {
            server.perform { hub, _ in
                hub.publish(hub.tree.index(SessionParameter.recording), .text("\(round) " + String(repeating: "x", count: 10_000)))
            }
        }
        #expect(server.perform { _, server in server.connections.readings.map { $0.sent < 100 } } == [true])
        #expect(server.perform { _, server in server.connections.kick(1) })
        #expect(server.until { _, server in server.connections.count == 0 })
    }

    @Test func theNumberOfClientsIsAParameter() throws {
        let server = try TestServer()
        let sockets = (0..<3).map { _ in SocketTestClient(server.port) }
        #expect(server.until { hub, _ in hub.value(hub.tree.index(ClientParameter.connected)) == .number(3) })
        for socket in sockets { socket.raw.close() }
        #expect(server.until { hub, _ in hub.value(hub.tree.index(ClientParameter.connected)) == .number(0) })
    }
}
