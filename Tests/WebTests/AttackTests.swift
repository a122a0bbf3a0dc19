import DSP
import Foundation
import Hub
import OSCControl
import Parameters
import TestSupport
import Testing
import Web

/// Attacks by clients that can reach the port, while other clients are served.
@Suite struct AttackTests {
    /// Whether a request is answered. A client that stalls in its middle loses the connection, and makes another one.
    func isServing(_ server: TestServer) -> Bool {
        waitUntil("a request is answered") { Answer.get(server.port, "/listener/1/gain?VALUE")?.text == "{\"VALUE\":[0]}" }
    }

    @Test func anAnnouncedGigabyteEndsTheConnection() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        client.raw.send(SocketTestClient.header(SocketTestClient.binary, 1 << 30) + [1, 2, 3, 4])
        let answer = try #require(client.receive())
        #expect(answer.opcode == SocketTestClient.close && answer.payload.prefix(2) == [0x03, 0xF1])
        #expect(isServing(server))
    }

    @Test func incompleteRequestsTimeOutWithoutBlockingOthers() throws {
        var limits = WebLimits()
        limits.requestSeconds = 2
        let server = try TestServer(limits: limits)
        let slow = (0..<100).map { _ in RawClient(server.port) }
        for client in slow { client.send("GET /listener/1/gain HTTP/1.1\r\nHost: local") }
        let silent = RawClient(server.port)
        let body = RawClient(server.port)
        body.send("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
        #expect(isServing(server))
        for client in slow { client.send("h") }
        for client in slow + [silent, body] { #expect(client.isClosed()) }
        #expect(isServing(server))
    }

    @Test func connectionsPerAddressAreLimited() throws {
        var limits = TestServer.patient
        limits.localConnections = 8
        let server = try TestServer(limits: limits)
        let many = (0..<8).map { _ in SocketTestClient(server.port) }
        #expect(many.allSatisfy { $0.status == 101 })
        let ninth = RawClient(server.port)
        let answer = try #require(Answer(reading: ninth))
        #expect(answer.status == 503 && answer.text == "this address has 8 connections already; close one of them first\n")
        #expect(ninth.isClosed())
        withExtendedLifetime(many) {
            many[0].raw.close()
            #expect(server.until { _, server in server.connections.count == 7 })
            #expect(isServing(server))
        }
    }

    @Test func messagesBeyondTheRateAreDropped() throws {
        var limits = TestServer.patient
        limits.messages = 100
        let server = try TestServer(limits: limits)
        let client = SocketTestClient(server.port)
        // All at once, however long the client takes to make them.
        let messages = (0..<2500).flatMap { number in
            SocketTestClient.frame(SocketTestClient.binary, OSCPacket.bytes("/listener/1/gain", [.float(Float(-number % 60))]))
        }
        client.raw.send(messages)
        #expect(client.receive()?.text.contains("more than 100 messages per second were received; some were dropped") == true)
        #expect(Answer.get(server.port, "/health")?.status == 200)
    }

    @Test func deeplyNestedJSONIsRefused() throws {
        let server = try TestServer()
        let client = SocketTestClient(server.port)
        let deep = "{\"COMMAND\":" + String(repeating: "[", count: 60_000)
        client.send(SocketTestClient.text, Array(deep.utf8))
        #expect(client.receive()?.text.contains("a text frame is not valid") == true)
        let closed = String(repeating: "{\"a\":", count: 8000) + "1" + String(repeating: "}", count: 8000)
        client.send(SocketTestClient.text, Array(closed.utf8))
        #expect(client.receive()?.text.contains("a text frame is not valid") == true)
        #expect(client.isServed() && isServing(server))
    }

    @Test func compressedFramesAreNotDecompressed() throws {
        let server = try TestServer()
        // Compression is not negotiated, and a frame that is marked as compressed (RSV1, RFC 7692) ends the connection.
        let packed = SocketTestClient(server.port, headers: ["Sec-WebSocket-Extensions": "permessage-deflate"])
        packed.raw.send([0xC1, 0x85, 0, 0, 0, 0, 0xAB, 0x56, 0xAA, 0x05, 0x00])
        #expect(packed.status == 101 && packed.raw.isClosed())
        // A compressed kilobyte of zeros (RFC 1952) is taken as it is, and is not JSON.
        let bomb: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x63, 0x60, 0x18, 0x05, 0xA3, 0x60, 0x14, 0x0C, 0x54, 0, 0,
            0x2E, 0xAF, 0xB5, 0xEF, 0, 0x04, 0, 0,
        ]
        let client = RawClient(server.port)
        client.send(
            "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
        client.send(bomb)
        #expect(Answer(reading: client)?.status == 400)
        #expect(isServing(server))
    }

    @Test func endlessHeadersAreRefused() throws {
        let server = try TestServer()
        let client = RawClient(server.port)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
        for i in 0..<200 { client.send("X-Padding-\(i): \(String(repeating: "a", count: 500))\r\n") }
        client.send("Cookie: \(String(repeating: "b", count: 10_000))\r\n\r\n")
        #expect(client.readHeaders().map { !$0.hasPrefix("HTTP/1.1 200") } ?? true)
        #expect(isServing(server))
    }

    /// Heads of random shapes: for each the server answers or closes the connection, and serves the next client.
    @Test func randomHeadsAreAnsweredOrClosed() throws {
        let server = try TestServer()
        var random = SeededRandom()
        let parts = [
            "GET", "POST", "HEAD", "PATCH", "X", " ", "  ", "/", "/listener/1/gain", "?", "&", "%", "%00", "#", ";", "HTTP/1.1", "HTTP/9",
            "\r\n", "\n",
            "\r", "\0", "Host: localhost", "Host", ":", "Content-Length: 5", "Content-Length: ", "Transfer-Encoding: chunked",
            "Cookie: a=b",
            "Upgrade: websocket", "Connection: Upgrade", "Connection: close", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Expect: 100-continue",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: x", "X-", "If", "\t", "\u{FC}", String(repeating: "a", count: 5000),
            "http://localhost",
        ]
        for round in 0..<400 {
            var head = round % 2 == 0 ? "GET /listener/1/gain HTTP/1.1\r\nHost: localhost\r\n" : ""
            for _ in 0..<Int.random(in: 1...24, using: &random) { head += parts.randomElement(using: &random)! }
            let client = RawClient(server.port)
            client.send(head + (round % 4 < 2 ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n"))
            client.endOfSending()
            // Either an answer, or the end of the connection: never silence.
            #expect(client.hasBytes(within: RawClient.patience), "\(head.debugDescription)")
            if round % 50 == 49 { #expect(Answer.get(server.port, "/listener/1/gain?VALUE")?.text == "{\"VALUE\":[0]}") }
        }
        #expect(isServing(server))
    }
}
