import Foundation
import TestSupport
import Testing
import Web

/// Heads of requests as programs other than browsers send them.
@Suite struct RequestHeadTests {
    private static let target = "/listener/1/gain?VALUE"
    private static let value = "{\"VALUE\":[0]}"

    /// The answer to bytes that are sent as they are.
    private func answer(_ server: TestServer, _ head: String) -> Answer? {
        let client = RawClient(server.port)
        client.send(head)
        return Answer(reading: client)
    }

    /// libwebsockets knows headers that begin with these names, and waits for the rest of the name.
    @Test func namesThatBeginKnownOnesAreAnswered() throws {
        let server = try TestServer()
        for name in ["X", "X-", "X-Auth", "If", "I", "Acc", "A", "H", "Ho", "C", "Co", "Content-", "U", "Upgrad", "Sec-WebSocket-", "O"] {
            for value in ["1", ""] {
                let found = answer(
                    server, "GET \(Self.target) HTTP/1.1\r\n\(name): \(value)\r\nHost: localhost\r\n\(name): \(value)\r\n\r\n")
                #expect(found?.status == 200 && found?.text == Self.value, "\(name)")
            }
        }
    }

    @Test(arguments: [
        // Empty lines in front, ends of lines without CR, more than one space, and an address with its host.
        "\r\n\n\r\nGET /listener/1/gain?VALUE HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /listener/1/gain?VALUE HTTP/1.1\nHost: localhost\n\n", "GET  /listener/1/gain?VALUE   HTTP/1.1 \r\nHost:localhost \t\r\n\r\n",
        "GET http://localhost/listener/1/gain?VALUE HTTP/1.1\r\nHost: LOCALHOST\r\n\r\n",
        "GET /listener/1/gain?VALUE HTTP/1.0\r\nHOST: localhost\r\n\r\n", "GET /listener/1/gain?VALUE HTTP/1.9\r\nhost: localhost\r\n\r\n",
        // Values that nobody reads.
        "GET /listener/1/gain?VALUE HTTP/1.1\r\nHost: localhost\r\nX-Name: J\u{FC}rgen\r\nTE: trailers\r\nConnection: TE, close\r\n\r\n",
        "GET /listener/1/gain?VALUE HTTP/1.1\r\nHost: localhost\r\nCookie:\r\nCookie: =;;x\r\nExpect: 100-continue\r\n\r\n",
    ])
    func unusualFormsAreAnswered(_ head: String) throws {
        let server = try TestServer()
        #expect(answer(server, head)?.text == Self.value)
    }

    @Test(arguments: [
        ("BREW /listener/1/gain HTTP/1.1\r\nHost: localhost\r\n\r\n", 501), ("get / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
        ("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 501), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505), ("GET /\r\n", 400), ("GET / HTTP/1.1 x\r\n\r\n", 400),
        ("GET / HTTP/1.x\r\n\r\n", 400),
        ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (" / HTTP/1.1\r\n", 400),
        ("\u{16}\u{3}\u{1}", 400), ("GET http://other/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost:\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX-A : x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: a\rb\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n", 400),
        ("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length:\r\n\r\n", 400),
        ("POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\n\r\n", 400),
    ])
    func whatCannotBeAnsweredIsRefusedWithTheCause(_ head: String, _ status: Int) throws {
        let server = try TestServer()
        let client = RawClient(server.port)
        client.send(head)
        let found = try #require(Answer(reading: client))
        #expect(found.status == status && found.text.hasSuffix("\n") && found.text.count > 20)
        #expect(client.isClosed())
    }

    /// Cookies belong to a host, whatever its ports: other programs on it must not lock out this one.
    @Test func cookiesOfOtherProgramsAreNoHindrance() throws {
        let server = try TestServer()
        let foreign = (0..<6).map { "Cookie: other\($0)=\(String(repeating: "x", count: 8000))\r\n" }.joined()
        #expect(
            answer(server, "GET \(Self.target) HTTP/1.1\r\n\(foreign)Host: localhost\r\n\(foreign.prefix(8000))\r\n\r\n")?.text
                == Self.value)
    }

    @Test func tooMuchIsRefusedWithTheLimit() throws {
        let server = try TestServer()
        let long = String(repeating: "a", count: 100_000)
        func refusal(_ head: String) -> (Int?, String?) {
            let found = answer(server, head)
            return (found?.status, found?.text)
        }
        for head in ["GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(long)\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\n\(long)"] {
            let (status, text) = refusal(head)
            #expect(status == 431 && text?.contains("65536 bytes") == true)
        }
        let own = refusal("GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(long.prefix(20_000))\r\n\r\n")
        #expect(own.0 == 431 && own.1?.contains("12288 bytes") == true)
        let ranges = String(repeating: "Range: bytes=0-1\r\n", count: 40)
        #expect(refusal("GET / HTTP/1.1\r\nHost: localhost\r\n\(ranges)\r\n").0 == 431)
        for head in [
            "GET /\(long.prefix(8300)) HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /\(long)",
            "GET /?\(String(repeating: "a&", count: 300)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ] {
            #expect(refusal(head).0 == 414)
        }
        #expect(refusal("GET /\(long.prefix(8000)) HTTP/1.1\r\nHost: localhost\r\n\r\n").0 == 404)
        #expect(answer(server, "GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n")?.text == Self.value)
    }

    @Test func aBodyIsAskedForOnlyWhereItIsWanted() throws {
        let server = try TestServer()
        let client = RawClient(server.port)
        let head = "POST /login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\nContent-Length: "
        client.send(head + "13\r\n\r\n")
        #expect(client.readHeaders() == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("{\"token\":\"x\"}")
        #expect(Answer(reading: client)?.status == 200)
        client.send("GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(Answer(reading: client)?.text == Self.value)
        let refused = RawClient(server.port)
        refused.send(head + "5000\r\n\r\n")
        #expect(Answer(reading: refused)?.status == 413)
    }

    /// Each request ends where it says, however its bytes arrive.
    @Test func requestsInARowArriveInPieces() throws {
        let server = try TestServer()
        let request = "GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\nX: 1\r\n\r\n"
        let bytes = Array((request + "\r\n" + request + request).utf8)
        let pieces = [1, 2, 3, 5, 7, 11, 64, bytes.count]
        for size in pieces {
            let client = RawClient(server.port)
            for at in stride(from: 0, to: bytes.count, by: size) { client.send(Array(bytes[at..<min(at + size, bytes.count)])) }
            let found = (0..<3).map { _ in Answer(reading: client)?.status }
            #expect(found == [200, 200, 200], "\(size)")
        }
    }

    private static let login = "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\n\r\n{\"token\":\"x\"}"

    /// Each is sent when the one before is answered.
    @Test func requestsWithBodiesArriveInPieces() throws {
        let server = try TestServer()
        let request = "GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for size in [1, 3, 7, 64, 1000] {
            let client = RawClient(server.port)
            for (text, status) in [(request, 200), (Self.login, 200), (Self.login, 200), (request, 200)] {
                let bytes = Array(text.utf8)
                for at in stride(from: 0, to: bytes.count, by: size) { client.send(Array(bytes[at..<min(at + size, bytes.count)])) }
                #expect(Answer(reading: client)?.status == status, "\(size)")
            }
        }
    }

    /// libwebsockets would take the head of the second for its body, and would never end when more follows it.
    @Test func aRequestWithABodyThatDoesNotWaitIsLeftToBeSentAgain() throws {
        let server = try TestServer()
        let request = "GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for (sent, answered) in [
            (request + Self.login, 1), (request + Self.login + request, 1), (request + request + Self.login + Self.login, 2),
            (Self.login + request + Self.login + request, 2), (Self.login + Self.login + request, 1),
        ] {
            let client = RawClient(server.port)
            client.send(sent)
            #expect((0..<answered).allSatisfy { _ in Answer(reading: client)?.status == 200 })
            #expect(client.isClosed())
        }
        let client = RawClient(server.port)
        client.send(Self.login + request + request)
        #expect((0..<3).allSatisfy { _ in Answer(reading: client)?.status == 200 })
        // Where each piece is read by itself, it depends on the moment how many are answered.
        let bytes = Array((request + Self.login + request + Self.login + request).utf8)
        for size in [1, 5, 40, 100] {
            let client = RawClient(server.port)
            for at in stride(from: 0, to: bytes.count, by: size) { client.send(Array(bytes[at..<min(at + size, bytes.count)])) }
            #expect(Answer(reading: client)?.status == 200)
        }
        #expect(answer(server, request)?.text == Self.value)
    }

    /// The server has none of these; browsers decide by the answer, which names none.
    @Test(arguments: ["osc", "mqtt, ocpp1.6", ",", " , osc ,,", "vestibule.oscquery.v9", String(repeating: "p,", count: 500)])
    func otherSubprotocolsAreAccepted(_ list: String) throws {
        let server = try TestServer()
        let client = RawClient(server.port)
        client.send(Self.upgrade(list))
        let head = try #require(client.readHeaders())
        #expect(head.hasPrefix("HTTP/1.1 101") && !head.lowercased().contains("sec-websocket-protocol"))
    }

    @Test func theFirstKnownSubprotocolIsChosen() throws {
        let server = try TestServer()
        for (list, chosen) in [
            ("osc, vestibule.oscquery", "vestibule.oscquery"), (",,vestibule.telemetry.v1 , vestibule.oscquery", "vestibule.telemetry.v1"),
            ("x\r\nSec-WebSocket-Protocol: vestibule.oscquery", "vestibule.oscquery"),
        ] {
            let client = RawClient(server.port)
            client.send(Self.upgrade(list))
            #expect(client.readHeaders()?.lowercased().contains("sec-websocket-protocol: \(chosen)\r\n") == true, "\(list)")
        }
    }

    private static func upgrade(_ protocols: String) -> String {
        "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: \(protocols)\r\n\r\n"
    }
}
