import FileOutput
import Foundation
import TestSupport
import Testing
import Trust

@testable import Broadcast
@testable import Web

/// Every row of the table of routes, as clients reach it: without a token, with that of a viewer, from pages of other servers, under
/// foreign names, without TLS. A new route is tested by being in the table.
@Suite struct RouteTests {
    /// A way to use a row.
    struct Use: Sendable, CustomStringConvertible {
        let method: Route.Method
        let path: String
        let subprotocol: String?
        let audience: Route.Audience
        let isPlain: Bool
        let isJSON: Bool

        var description: String { "\(method.rawValue) \(path) \(subprotocol ?? "")" }
        var writes: Bool { [.post, .patch, .delete, .socket].contains(method) }

        /// The status of the answer.
        func ask(_ server: TestServer, token: String? = nil, body: String = "x", _ more: [String: String] = [:]) -> Int? {
            var headers = ["Host": "localhost:\(server.port)"].merging(more) { $1 }
            if let token { headers["Authorization"] = "Bearer \(token)" }
            if method == .page { headers["Accept"] = "text/html" }
            if let subprotocol { headers["Sec-WebSocket-Protocol"] = subprotocol }
            if method == .socket { return SocketTestClient(server.port, path, headers: headers).status }
            let hasBody = method == .post || method == .patch
            if hasBody, headers["Content-Length"] == nil { headers["Content-Length"] = "\(body.utf8.count)" }
            let client = RawClient(server.port)
            let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            client.send("\(method == .page ? "GET" : method.rawValue) \(path) HTTP/1.1\r\n\(lines)\r\n\(hasBody ? body : "")")
            return Answer(reading: client)?.status
        }
    }

    static let tokens = AccessTests.tokens

    /// A server that has every route.
    func server(tokens: AccessTokens? = RouteTests.tokens, certificate: ServerCertificate? = nil) throws -> TestServer {
        try TestServer(
            tokens: tokens, certificate: certificate,
            adjust: {
                $0.hls.listeners = 1
                $0.hls.origins = ["*"]
            })
    }

    func uses(_ server: TestServer) -> [Use] {
        server.perform { _, web in
            web.routes.routes.flatMap { route in
                var isJSON = false
                if case .json = route.action { isJSON = true }
                // Listeners are numbers, and pages of other servers may ask about playlists; other parts of paths are what they are called.
                let path = route.path.text.replacing("{listener}", with: "1")
                    .replacing("/hls/{path}", with: "/hls/listener/1/index.m3u8").filter { $0 != "{" && $0 != "}" }
                return route.methods.map {
                    Use(
                        method: $0, path: path, subprotocol: route.subprotocol, audience: route.audience, isPlain: route.isPlain,
                        isJSON: isJSON)
                }
            }
        }
    }

    @Test func withoutATokenOnlyRoutesForEverybodyAnswer() throws {
        let server = try server()
        let uses = uses(server)
        #expect(uses.count > 50)
        for use in uses { #expect((use.ask(server) == 401) == (use.audience != .everybody), "\(use)") }
        let open = Set(uses.filter { $0.audience == .everybody && $0.writes }.map(\.path))
        #expect(open == ["/login", "/pairing", "/hls/listener/1/index.m3u8"])
    }

    @Test func viewersAreRefusedWhereControlIsNeeded() throws {
        let server = try server()
        for use in uses(server) {
            let status = use.ask(server, token: Self.tokens.view)
            #expect((status == 403) == (use.audience == .control), "\(use) \(status ?? 0)")
            #expect(status != nil && status != 401 && status != 500, "\(use)")
        }
    }

    @Test func thoseWhoMayControlMayUseEveryRoute() throws {
        let server = try server()
        for use in uses(server) {
            let status = use.ask(server, token: Self.tokens.control)
            #expect(status != nil && ![401, 403, 405, 500].contains(status), "\(use) \(status ?? 0)")
        }
    }

    /// Browsers let pages of other servers send requests and open WebSockets, but not read answers.
    @Test func pagesOfOtherServersMayOnlyRead() throws {
        let server = try server()
        for use in uses(server) {
            let status = use.ask(server, token: Self.tokens.control, ["Origin": "http://evil.example"])
            #expect((status == 403) == use.writes, "\(use) \(status ?? 0)")
        }
    }

    @Test func aForeignNameIsRefusedOnEveryRoute() throws {
        let server = try server()
        for use in uses(server) { #expect(use.ask(server, token: Self.tokens.control, ["Host": "evil.example"]) == 403, "\(use)") }
    }

    @Test func withoutTLSOnlyTheTrustPagesAnswer() throws {
        let folder = TemporaryFolder()
        let server = try server(certificate: .own(folder: folder.path, names: ["localhost"]))
        for use in uses(server) where !use.isPlain {
            let status = use.ask(server, token: Self.tokens.control)
            #expect(status == (use.method == .get || use.method == .page ? 308 : 403), "\(use)")
        }
        let plain = uses(server).filter(\.isPlain)
        #expect(Set(plain.map(\.path)) == ["/trust", "/trust/file"])
        for use in plain { #expect([200, 404].contains(use.ask(server)), "\(use)") }
    }

    @Test func bodiesOfJSONAreShortAndHaveALength() throws {
        let server = try server()
        let uses = uses(server).filter(\.isJSON)
        #expect(uses.count >= 5)
        for use in uses {
            #expect(use.ask(server, token: Self.tokens.control, body: "{}") == 400, "\(use)")
            #expect(use.ask(server, token: Self.tokens.control, body: "", ["Content-Length": "0"]) == 411, "\(use)")
            #expect(use.ask(server, token: Self.tokens.control, body: "", ["Content-Length": "1025"]) == 413, "\(use)")
        }
    }

    /// The answer names the methods that the table has for the path.
    @Test func othersThanThePossibleMethodsAreRefused() throws {
        let server = try server()
        let paths = Dictionary(grouping: uses(server), by: \.path)
        for (path, uses) in paths {
            for method in Route.Method.allCases
            where ![.get, .page, .socket].contains(method) && !uses.contains(where: { $0.method == method }) {
                // A longer path may be a case of a shorter one.
                let isPossible = server.perform { _, web in
                    if case .found = web.routes.match(path, method) { true } else { false }
                }
                guard !isPossible else { continue }
                let client = RawClient(server.port)
                client.send("\(method.rawValue) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                let answer = try #require(Answer(reading: client))
                let allowed = Set(answer.headers["allow"]?.components(separatedBy: ", ") ?? [])
                #expect(answer.status == 405 && allowed.isSuperset(of: ["GET", "HEAD"]) && !allowed.contains(method.rawValue), "\(path)")
            }
        }
    }

    // MARK: The table

    @Test func theLongestPathThatFitsIsTaken() {
        func row(_ path: RoutePath, _ methods: [Route.Method] = [.get], subprotocol: String? = nil) -> Route {
            Route(
                path: path, methods: methods, audience: .view, summary: path.text, subprotocol: subprotocol,
                action: .answer { _ in .empty(204) })
        }
        let table = RouteTable([
            row("/{path}"), row("/{path}", [.page]), row("/a/{b}"), row("/a/{b}/c"), row("/a"), row("/a/x"), row("/a/xy/{z}", [.post]),
            row("/s/{n}", [.socket]), row("/{path}", [.socket]), row("/{path}", [.socket], subprotocol: "t"),
        ])
        func found(_ path: String, _ method: Route.Method?, _ subprotocol: String? = nil) -> String {
            switch table.match(path, method, subprotocol: subprotocol) {
            case .found(let route, let rest): "\(route.path.text) \(route.methods[0].rawValue) \(route.subprotocol ?? "-") [\(rest)]"
            case .needsSocket(let route, let rest): "socket \(route.path.text) [\(rest)]"
            case .unsupported(let methods): methods.joined(separator: " ")
            }
        }
        #expect(found("/", .get) == "/{path} GET - []")
        #expect(found("/q/r", .page) == "/{path} page - [q/r]")
        #expect(found("/a", .page) == "/a GET - []")
        #expect(found("/a/x", .get) == "/a/x GET - []")
        #expect(found("/a/xy/1", .get) == "/a/{b} GET - [xy/1]")
        #expect(found("/a/xy/1", .post) == "/a/xy/{z} POST - [1]")
        #expect(found("/ab", .get) == "/{path} GET - [ab]")
        #expect(found("/s/7", .get) == "socket /s/{n} [7]")
        #expect(found("/s/7", .page) == "socket /s/{n} [7]")
        #expect(found("/s/7", .socket) == "/s/{n} WebSocket - [7]")
        #expect(found("/a", .socket) == "/{path} WebSocket - [a]")
        #expect(found("/a", .socket, "t") == "/{path} WebSocket t [a]")
        #expect(found("/a/xy/1", .delete) == "GET HEAD POST")
        #expect(found("/a", nil) == "GET HEAD")
    }

    /// Two rows with the same path and method would hide each other.
    @Test func noTwoRoutesAreTheSame() throws {
        let uses = uses(try server()).map(\.description)
        #expect(Set(uses).count == uses.count)
    }

    /// `make protocol` updates it.
    @Test func theDocumentListsEveryRoute() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "protocol/http.md")
        let table = try server().perform { _, web in web.routes.markdown }
        let text = """
            # Endpoints of the HTTP port

            Generated from the server's table of routes; a test keeps both equal. The formats of requests and answers are described in
            [README.md](README.md#http).

            *Path*: a part in braces stands for the rest of the path, slashes included; of several rows that a path fits, the one with the
            longest path counts that has the method. *Method*: GET includes HEAD; "GET by browsers" is one that accepts `text/html` and
            has no query. A WebSocket's address that is opened with GET is answered with 426. *For*: `everybody`, `view` (those who may view
            or control) or `control`; the others get 401 without a login and 403 with one. Only pages of this server, and programs
            that are no browsers, may use POST, PATCH, DELETE and WebSockets; others get 403. *At most*: what a request may carry; a longer
            body gets 413, a longer message ends the WebSocket with status 1009.


            """ + table
        if ProcessInfo.processInfo.environment["UPDATE_PROTOCOL"] != nil {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}
