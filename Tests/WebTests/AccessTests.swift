import Foundation
import Hub
import OSCControl
import Parameters
import Synchronization
import TestSupport
import Testing
import Trust
import Web

@Suite struct AccessTests {
    static let tokens = AccessTokens(control: "c0ffee00c0ffee00c0ffee00c0ffee00", view: "ab1e0000ab1e0000ab1e0000ab1e0000")

    typealias Log = Holder<Mutex<[String]>>

    func guarded(_ log: Log = Holder(Mutex([])), panel: String? = nil, limits: WebLimits = TestServer.patient) throws -> TestServer {
        try TestServer(panel: panel, tokens: Self.tokens, limits: limits) { hub, _ in
            hub.onLog = { line, _ in log.value.withLock { $0.append(line) } }
        }
    }

    func login(_ server: TestServer, _ token: String, _ headers: [String: String] = [:]) -> Answer? {
        let body = "{\"token\":\"\(token)\"}"
        let client = RawClient(server.port)
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        client.send(
            "POST /login HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return Answer(reading: client)
    }

    @Test func aForeignHostNameIsRefusedEverywhereAndLoggedOnce() throws {
        let log = Log(Mutex([]))
        let server = try TestServer(allowedHosts: ["hall.example", "192.0.2.7"]) { hub, _ in
            hub.onLog = { line, _ in log.value.withLock { $0.append(line) } }
        }
        let expected = "evil.example is not a name of this server; if it should be, start the server with --allow-host evil.example"
        for target in ["/", "/panel/", "/health", "/listener/1/gain?VALUE", "/?HOST_INFO"] {
            let client = RawClient(server.port)
            client.send("GET \(target) HTTP/1.1\r\nHost: evil.example:\(server.port)\r\nAccept: text/html\r\n\r\n")
            let answer = try #require(Answer(reading: client))
            #expect(answer.status == 403 && answer.text == expected + "\n", "\(target)")
        }
        // After DNS rebinding, Origin and Host are the same foreign name.
        let rebound = ["Host": "evil.example:\(server.port)", "Origin": "http://evil.example:\(server.port)"]
        #expect(SocketTestClient(server.port, headers: rebound).status == 403)
        #expect(SocketTestClient(server.port, "/audio/1", headers: rebound).status == 403)
        #expect(log.value.withLock { $0 } == ["a request was refused: \(expected)"])
        for host in [
            "localhost", "LOCALHOST:1", "127.0.0.1:80", "127.8.8.8", "[::1]:80", "panel.localhost", "hall.example.:99",
            "Hall.Example", "192.0.2.7:8080", "[0:0:0:0:0:0:0:1]",
        ] {
            #expect(SocketTestClient(server.port, headers: ["Host": host]).status == 101, "\(host)")
        }
        for host in ["127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.8", "notlocalhost", "[::2]", "2130706433"] {
            #expect(SocketTestClient(server.port, headers: ["Host": host]).status == 403, "\(host)")
        }
    }

    @Test func withoutATokenOnlyTheLoginIsServed() throws {
        let log = Log(Mutex([]))
        let folder = TemporaryFolder()
        try Data("<title>Panel".utf8).write(to: folder.url.appending(path: "index.html"))
        let server = try guarded(log, panel: folder.path)
        for target in ["/", "/?HOST_INFO", "/listener/1/gain?VALUE", "/nothing", "/?HTML"] {
            let answer = try #require(Answer.get(server.port, target))
            #expect(answer.status == 401 && answer.headers["www-authenticate"] == "Bearer realm=\"vestibule\"", "\(target)")
        }
        for path in ["/", "/audio/1", "/health", "/panel/"] { #expect(SocketTestClient(server.port, path).status == 401) }
        #expect(Answer.get(server.port, "/health")?.status == 200)
        #expect(Answer.get(server.port, "/panel/index.html")?.status == 200)
        #expect(Answer.get(server.port, "/", ["Accept": "text/html"])?.text == "<title>Panel")
        for path in [
            "/metrics", "/overview", "/video", "/listeners", "/pairing/clients", "/pairing/devices", "/files", "/results/a.csv", "/takes",
            "/takes/a/ears.wav", "/library/sounds/a.wav", "/recordings/1/a", "/hls/listener/1/index.m3u8",
        ] {
            #expect(Answer.get(server.port, path, ["Accept": "text/html"])?.status == 401, "\(path)")
        }
        for wrong in [
            "Bearer", "Bearer x", "Basic \(Self.tokens.control)", "Bearer \(Self.tokens.control)0",
            "Bearer \(Self.tokens.control.dropLast())", "Bearer \(Self.tokens.control.uppercased())", "Bearer  ",
        ] {
            #expect(Answer.get(server.port, "/listener/1/gain", ["Authorization": wrong])?.status == 401, "\(wrong)")
        }
        #expect(
            log.value.withLock { $0 } == [
                "a request from 127.0.0.1 without a valid token was refused", "a wrong token from 127.0.0.1 was refused",
            ])
    }

    @Test func aTokenInTheHeaderOrTheProtocolGrantsAccess() throws {
        let server = try guarded()
        for token in [Self.tokens.control, Self.tokens.view] {
            let bearer = ["Authorization": "Bearer \(token)"]
            #expect(Answer.get(server.port, "/listener/1/gain?VALUE", bearer)?.text == "{\"VALUE\":[0]}")
            #expect(SocketTestClient(server.port, headers: bearer).status == 101)
            let carried = ["Sec-WebSocket-Protocol": "vestibule.oscquery, vestibule.token.\(token)"]
            #expect(SocketTestClient(server.port, headers: carried).status == 101)
        }
        let wrong = ["Sec-WebSocket-Protocol": "vestibule.oscquery, vestibule.token.0123456789abcdef"]
        #expect(SocketTestClient(server.port, headers: wrong).status == 401)
    }

    @Test func viewersCannotControl() throws {
        let server = try guarded()
        let viewer = SocketTestClient(server.port, headers: ["Authorization": "Bearer \(Self.tokens.view)"])
        viewer.set("/listener/1/gain", .float(-6))
        #expect(viewer.receive()?.text.contains("was not set: this login may view and listen, but not control") == true)
        viewer.command("LISTEN", "/listener/1/gain")
        #expect(viewer.receive()?.messages.first?.arguments == [.float(0)])
        let owner = SocketTestClient(server.port, headers: ["Authorization": "Bearer \(Self.tokens.control)"])
        owner.set("/listener/1/gain", .float(-6))
        #expect(viewer.receive()?.messages.first?.arguments == [.float(-6)])
    }

    @Test func aLoginCookieIsHiddenFromScriptsAndOtherSites() throws {
        let log = Log(Mutex([]))
        let server = try guarded(log)
        let answer = try #require(login(server, Self.tokens.view, ["Origin": "http://localhost:\(server.port)"]))
        #expect(answer.status == 200 && answer.text == "{\"role\":\"view\"}")
        let cookie = try #require(answer.headers["set-cookie"])
        let parts = cookie.components(separatedBy: "; ")
        #expect(parts[0].hasPrefix("vestibule-\(server.port)=") && !cookie.contains(Self.tokens.view))
        #expect(Set(parts.dropFirst()).isSuperset(of: ["HttpOnly", "SameSite=Strict", "Path=/"]))
        let header = ["Cookie": "other=1; \(parts[0])"]
        #expect(Answer.get(server.port, "/listener/1/gain", header)?.status == 200)
        #expect(SocketTestClient(server.port, headers: header).status == 101)
        #expect(Answer.get(server.port, "/listener/1/gain", ["Cookie": parts[0] + "0"])?.status == 401)
        #expect(login(server, Self.tokens.view, ["Origin": "http://evil.example"])?.status == 403)
        #expect(log.value.withLock { $0.allSatisfy { !$0.contains(Self.tokens.view) } })
    }

    @Test func wrongTokensOfAnAddressAreBlockedAfterTenAndTheRightOneIsNot() throws {
        let log = Log(Mutex([]))
        let server = try guarded(log)
        for _ in 0..<10 { #expect(login(server, "a wrong guess")?.status == 401) }
        for wrong in ["a wrong guess", "\(Self.tokens.control)0", String(Self.tokens.control.reversed())] {
            #expect(login(server, wrong)?.status == 429)
            #expect(Answer.get(server.port, "/listener/1/gain", ["Authorization": "Bearer \(wrong)"])?.status == 429)
        }
        // Others at the same address, as the visitors of a venue, are let in; and a login does not begin the count anew.
        #expect(login(server, Self.tokens.control)?.status == 200)
        #expect(Answer.get(server.port, "/listener/1/gain", ["Authorization": "Bearer \(Self.tokens.view)"])?.status == 200)
        #expect(login(server, "a wrong guess")?.status == 429)
        #expect(log.value.withLock { $0 } == ["a wrong token from 127.0.0.1 was refused"])
    }

    /// Guesses stay limited where a token could be guessed.
    @Test func aShortTokenWaitsLikeAWrongOne() throws {
        let server = try TestServer(tokens: AccessTokens(control: "chosen by hand", view: Self.tokens.view))
        #expect(login(server, "chosen by hand")?.status == 200)
        for _ in 0..<10 { #expect(login(server, "a wrong guess")?.status == 401) }
        #expect(login(server, "chosen by hand")?.status == 429)
        #expect(login(server, Self.tokens.view)?.status == 200)
    }

    /// The machine on which the tests run is the proxy.
    @Test func aTrustedProxyTellsWhoTheClientIs() throws {
        let server = try TestServer(tokens: Self.tokens, proxies: [try #require(AddressRange("127.0.0.1"))])
        func guess(_ forwarded: String) -> Int? { login(server, "a wrong guess", ["X-Forwarded-For": forwarded])?.status }
        // Entries that the client itself has written in front change nothing.
        for number in 0..<10 { #expect(guess("192.0.2.\(number), 198.51.100.1") == 401) }
        #expect(guess("198.51.100.1") == 429)
        #expect(login(server, Self.tokens.control, ["X-Forwarded-For": "198.51.100.2"])?.status == 200)
        #expect(guess("2001:db8::1, 127.0.0.1") == 401)
        // With the port, and an IPv6 address in brackets.
        for name in ["198.51.100.1:51008", "x, 198.51.100.1:4, 127.0.0.1:8"] { #expect(guess(name) == 429) }
        for number in 0..<10 { #expect(guess(["[2001:db8::7]:51008", "[2001:db8::7]", "2001:db8::7"][number % 3]) == 401) }
        for name in ["[2001:db8::7]:51009", "[2001:db8::7]", "2001:db8::7"] { #expect(guess(name) == 429) }
        // Without a usable header the proxy itself is the client.
        for number in 0..<10 { #expect(guess(["", "unknown", "_hidden", "x,"][number % 4]) == 401, "\(number)") }
        #expect(login(server, "a wrong guess")?.status == 429)
    }

    @Test func withoutATrustedProxyTheHeaderMeansNothing() throws {
        let server = try TestServer(tokens: Self.tokens, proxies: [try #require(AddressRange("192.0.2.0/24"))])
        for number in 0..<10 { #expect(login(server, "a wrong guess", ["X-Forwarded-For": "198.51.100.\(number)"])?.status == 401) }
        #expect(login(server, "a wrong guess", ["X-Forwarded-For": "198.51.100.99"])?.status == 429)
    }

    @Test func malformedLoginsAreRefused() throws {
        let server = try guarded()
        func post(_ target: String, _ headers: String, _ body: String) -> Int? {
            let client = RawClient(server.port)
            client.send("POST \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n\(body)")
            return Answer(reading: client)?.status
        }
        #expect(post("/login", "Content-Length: 9\r\n", "{\"toke\":1") == 400)
        #expect(post("/login", "Content-Length: 2000\r\n", String(repeating: "[", count: 2000)) == 413)
        #expect(post("/login", "Content-Length: 1000\r\n", String(repeating: "[", count: 1000)) == 400)
        #expect(post("/login", "Content-Length: 0\r\n", "") == 411)
        #expect(post("/listener/1/gain", "Content-Length: 2\r\n", "{}") == 405)
        #expect(Answer.get(server.port, "/health")?.status == 200)
    }

    @Test func theTokenFileIsPrivate() throws {
        let folder = TemporaryFolder()
        let path = folder.path("vestibule/tokens")
        let made = try TokenFile.open(path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try TokenFile.open(path)
        #expect(again.control == made.control && again.view == made.view && made.control != made.view)
        #expect(made.control.count == 32)
        chmod(path, 0o640)
        #expect(throws: TokenFileError.open(path)) { try TokenFile.open(path) }
        chmod(path, 0o600)
        try Data("control short\nview x\n".utf8).write(to: URL(filePath: path))
        chmod(path, 0o600)
        #expect(throws: TokenFileError.wrong(path)) { try TokenFile.open(path) }
    }
}
