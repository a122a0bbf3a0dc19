import Foundation
import Hub
import Synchronization
import TestSupport
import Testing
import Trust
import Web

/// A server with TLS, and clients that do not use it. Clients with TLS are tested in Tests/Integration/network/test_tls.py.
@Suite struct SecureTests {
    private let temporary = TemporaryFolder()

    func secure(_ limits: WebLimits = TestServer.patient, panel: String? = nil) throws -> TestServer {
        try TestServer(
            panel: panel, limits: limits, certificate: .own(folder: temporary.path, names: ["localhost", "127.0.0.1"]))
    }

    @Test func everythingButTheTrustPageIsRedirectedToTLS() throws {
        let server = try secure()
        for (target, location) in [
            ("/", "/"), ("/health", "/health"), ("/metrics", "/metrics"), ("/panel/main.js", "/panel/main.js"),
            ("/listener/1/gain?VALUE", "/listener/1/gain?VALUE"), ("/a%20b%22", "/a%20b%22"),
        ] {
            let answer = try #require(Answer.get(server.port, target), "\(target)")
            #expect(answer.status == 308)
            #expect(answer.headers["location"] == "https://localhost:\(server.port)\(location)")
        }
        let split = Answer.get(server.port, "/a%0d%0aX:%20y")
        #expect(split?.status == 400 && split?.headers["x"] == nil)
        for (host, origin) in [
            ("127.0.0.1:99", "127.0.0.1:99"), ("[::1]", "[::1]:\(server.port)"), ("[::1]:7", "[::1]:7"),
        ] {
            let client = RawClient(server.port)
            client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(Answer(reading: client)?.headers["location"] == "https://\(origin)/", "\(host)")
        }
        let disguised = RawClient(server.port)
        disguised.send("GET / HTTP/1.1\r\nHost: localhost:80@evil.example\r\n\r\n")
        #expect(Answer(reading: disguised)?.status == 400)
        let evil = RawClient(server.port)
        evil.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        #expect(Answer(reading: evil)?.status == 403)
    }

    @Test func socketsAndLoginsAreRefusedWithoutTLS() throws {
        let server = try secure()
        #expect(SocketTestClient(server.port).status == 403)
        #expect(SocketTestClient(server.port, "/audio/1").status == 403)
        #expect(SocketTestClient(server.port, "/trust").status != 101)
        let login = RawClient(server.port)
        login.send("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{\"token\":\"abc\"}")
        #expect(Answer(reading: login)?.status == 403)
    }

    @Test func theTrustPageNamesItsAuthority() throws {
        let server = try secure(panel: TestServer.panel)
        let authority = try #require(try ServerCertificate.own(folder: temporary.path, names: ["localhost"]).authority)
        let page = try #require(Answer.get(server.port, "/trust"))
        #expect(page.status == 200 && page.text.contains(authority.fingerprint))
        #expect(page.text.contains("<a href=\"https://localhost:\(server.port)/\">"))
        #expect(Answer.get(server.port, "/trust/vestibule.crt")?.body == authority.der)
        let pem = try #require(Answer.get(server.port, "/trust/vestibule.pem"))
        #expect(pem.text == authority.pem && pem.headers["content-type"] == "application/x-pem-file")
        for target in ["/trust/authority.pem", "/trust/../trust/server.pem", "/trust/x"] {
            let answer = try #require(Answer.get(server.port, target))
            #expect(answer.status != 200 && !answer.text.contains("PRIVATE"), "\(target)")
        }
        let without = try secure()
        let bare = try #require(Answer.get(without.port, "/trust"))
        #expect(bare.status == 200 && bare.headers["content-type"]?.hasPrefix("text/plain") == true)
        #expect(bare.text.contains(authority.fingerprint) && bare.text.contains("/trust/vestibule.crt"))
        let plain = try TestServer()
        let advice = try #require(Answer.get(plain.port, "/trust"))
        #expect(advice.status == 200 && advice.text.contains("--tls"))
        #expect(Answer.get(plain.port, "/trust/vestibule.crt")?.status == 404)
        let paged = try TestServer(panel: TestServer.panel)
        let told = try #require(Answer.get(paged.port, "/trust"))
        #expect(told.status == 200 && told.text.contains("--tls") && told.headers["content-type"]?.hasPrefix("text/html") == true)
    }

    @Test func incompleteHandshakesTimeOutWithoutBlockingOthers() throws {
        var limits = WebLimits()
        limits.requestSeconds = 2
        let server = try secure(limits)
        // A client that stalls in the middle of its request loses the connection, and makes another one.
        func isServing() -> Bool { waitUntil("a request is answered") { Answer.get(server.port, "/trust")?.status == 200 } }
        let silent = (0..<20).map { _ in RawClient(server.port) }
        // The beginning of a TLS 1.2 record that announces 512 bytes of handshake, and no more.
        let half = (0..<20).map { _ in RawClient(server.port) }
        for client in half { client.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]) }
        let noise = (0..<20).map { _ in RawClient(server.port) }
        for client in noise { client.send([0x16] + (0..<200).map { UInt8(truncatingIfNeeded: $0 * 37) }) }
        #expect(isServing())
        for client in half + noise + silent { #expect(client.isClosed()) }
        #expect(isServing())
    }
}
