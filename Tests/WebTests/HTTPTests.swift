import Foundation
import Hub
import Parameters
import Query
import RenderInterface
import TestSupport
import Testing
import Web

@Suite struct HTTPTests {
    private let temporary = TemporaryFolder()

    /// A folder of panel files, and one beside it that must stay out of reach.
    func makePanel() throws -> String {
        let folder = temporary.url
        let panel = folder.appendingPathComponent("panel")
        try FileManager.default.createDirectory(
            at: panel.appendingPathComponent("parts"), withIntermediateDirectories: true)
        try Data("<!doctype html><title>Panel</title>".utf8).write(to: panel.appendingPathComponent("index.html"))
        try FileManager.default.createDirectory(at: panel.appendingPathComponent("pages"), withIntermediateDirectories: true)
        try Data("<meta name=head>".utf8).write(to: panel.appendingPathComponent("pages/head.html"))
        try Data("<head>{{> head}}{{> missing}}{{> ../secret}}</head>{{b}}".utf8).write(to: panel.appendingPathComponent("joined.html"))
        try Data("export const a = 1".utf8).write(to: panel.appendingPathComponent("parts/a.js"))
        try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }).write(
            to: panel.appendingPathComponent("large.bin"))
        try Data(count: 1_500_000).write(to: panel.appendingPathComponent("huge.bin"))
        try Data("not served".utf8).write(to: panel.appendingPathComponent(".hidden"))
        try Data("not served".utf8).write(to: folder.appendingPathComponent("secret.txt"))
        try FileManager.default.createSymbolicLink(
            at: panel.appendingPathComponent("way-out"), withDestinationURL: folder)
        return panel.path
    }

    @Test func theNamespaceIsJSON() throws {
        let server = try TestServer()
        let root = try #require(Answer.get(server.port, "/"))
        #expect(root.status == 200 && root.headers["content-type"] == "application/json")
        #expect(root.json["FULL_PATH"] as? String == "/")
        let contents = try #require(root.json["CONTENTS"] as? [String: Any])
        #expect(Set(contents.keys).isSuperset(of: ["listener", "transport", "session", "array", "meter", "engine"]))
        #expect(root.text.contains("\"FULL_PATH\":\"/listener/2/gain\""))
        #expect(root.headers["access-control-allow-origin"] == nil)
        #expect(root.headers["x-content-type-options"] == "nosniff")
        #expect(
            root.headers["content-security-policy"]
                == "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ws: wss:; media-src 'self' blob: https:; "
                + "style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
                + "form-action 'self'; frame-ancestors 'none'")
        let gain = try #require(Answer.get(server.port, "/listener/1/gain"))
        #expect(gain.json["TYPE"] as? String == "f" && gain.json["ACCESS"] as? Int == 3)
        #expect(Answer.get(server.port, "/listener/1/")?.json["FULL_PATH"] as? String == "/listener/1")
    }

    @Test(arguments: [
        ("/listener/1/gain?VALUE", "{\"VALUE\":[0]}"), ("/listener/1/gain?TYPE", "{\"TYPE\":\"f\"}"),
        ("/listener/1/gain?RANGE", "{\"RANGE\":[{\"MAX\":12,\"MIN\":-60}]}"),
        ("/listener/1/gain?UNIT", "{\"UNIT\":[\"gain.db\"]}"), ("/listener/1/gain?ACCESS", "{\"ACCESS\":3}"),
        ("/listener/1/gain?CLIPMODE", "{\"CLIPMODE\":[\"both\"]}"),
        ("/listener/1/gain?FULL_PATH", "{\"FULL_PATH\":\"/listener/1/gain\"}"),
        ("/listener/1/gain?DESCRIPTION", "{\"DESCRIPTION\":\"Gain. Level of both ears.\"}"),
        ("/listener/1/recenter?CRITICAL", "{\"CRITICAL\":true}"),
        ("/session/load?CRITICAL", "{\"CRITICAL\":true}"),
        ("/listener/1/recenter?TAGS", "{\"TAGS\":[\"recenter\"]}"),
        (
            "/listener/1/ypr?EXTENDED_TYPE",
            "{\"EXTENDED_TYPE\":[\"orientation.euler.ypr\",\"orientation.euler.ypr\",\"orientation.euler.ypr\"]}"
        ),
    ])
    func oneAttributeAlone(_ target: String, _ expected: String) throws {
        let server = try TestServer()
        let answer = try #require(Answer.get(server.port, target))
        #expect(answer.status == 200)
        #expect(answer.text == expected)
    }

    @Test func statusesTellMissingNodesFromMissingAttributes() throws {
        let server = try TestServer()
        #expect(Answer.get(server.port, "/listener/1/recenter?VALUE")?.status == 204)
        #expect(Answer.get(server.port, "/listener/1?VALUE")?.status == 204)
        #expect(Answer.get(server.port, "/listener/1/gain?CONTENTS")?.status == 204)
        #expect(Answer.get(server.port, "/listener/1/gain?CRITICAL")?.status == 204)
        #expect(Answer.get(server.port, "/listener/1/gain?OVERLOADS")?.status == 204)
        #expect(
            Answer.get(server.port, "/listener/1/prediction?OVERLOADS")?.text
                == "{\"OVERLOADS\":[{\"RANGE\":[{\"VALS\":[\"auto\",\"off\"]}],\"TYPE\":\"s\"}]}")
        let unknown = try #require(Answer.get(server.port, "/listener/1/gain?VOLUME"))
        #expect(unknown.status == 400 && unknown.text.hasPrefix("there is no attribute VOLUME; the attributes are ACCESS, "))
        let nothing = try #require(Answer.get(server.port, "/listener/1/gian"))
        #expect(nothing.status == 404)
        #expect(nothing.text == "no parameter at /listener/1/gian; did you mean /listener/1/gain?\n")
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let answer = Answer(RawClient(server.port), method, "/listener/1/gain", ["Content-Length": "0"])
            #expect(answer?.status == 405, "\(method)")
            #expect(answer?.headers["allow"] == "GET, HEAD", "\(method)")
        }
    }

    @Test func aNodeHasAPage() throws {
        let server = try TestServer(panel: TestServer.panel) { hub, _ in
            hub.publish(hub.tree.index(SessionParameter.recording), .text("<script>alert(1)</script>"))
        }
        let container = try #require(Answer.get(server.port, "/session?HTML"))
        #expect(container.status == 200 && container.headers["content-type"] == "text/html; charset=utf-8")
        #expect(container.text.contains("<a href=\"/session/recording?HTML\">recording</a>"))
        let leaf = try #require(Answer.get(server.port, "/session/recording?HTML"))
        #expect(leaf.text.contains("<th>VALUE</th><td><code>[&quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;]</code>"))
        #expect(!leaf.text.contains("<script"))
        #expect(Answer.get(server.port, "/nothing?HTML")?.status == 404)
        let without = try TestServer()
        let bare = try #require(Answer.get(without.port, "/session?HTML"))
        #expect(bare.status == 404 && bare.text.contains("without the panel's files"))
    }

    @Test func oneConnectionServesManyRequests() throws {
        let server = try TestServer()
        let client = RawClient(server.port)
        for target in ["/", "/listener/1/recenter?VALUE", "/listener/1/gain?VALUE", "/nothing", "/listener/2"] {
            #expect(Answer(client, "GET", target) != nil, "\(target)")
        }
        let head = try #require(Answer(client, "HEAD", "/listener/1/gain?VALUE"))
        #expect(head.status == 200 && head.headers["content-length"] == "13" && head.body.isEmpty)
        #expect(Answer(client, "GET", "/listener/1/gain?VALUE")?.text == "{\"VALUE\":[0]}")
    }

    @Test func hostInfoHasPortsAndExtensions() throws {
        let server = try TestServer()
        let info = try #require(Answer.get(server.port, "/?HOST_INFO")).json
        #expect(info["NAME"] as? String == "Vestibule")
        #expect(info["OSC_PORT"] as? Int == 9000 && info["OSC_TRANSPORT"] as? String == "UDP")
        #expect(info["OSC_IP"] as? String == "127.0.0.1" && info["WS_IP"] as? String == "127.0.0.1")
        #expect(info["WS_PORT"] as? Int == server.port)
        let extensions = try #require(info["EXTENSIONS"] as? [String: Bool])
        for name in [
            "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "TAGS", "EXTENDED_TYPE", "UNIT", "CLIPMODE", "LISTEN",
            "CRITICAL", "OVERLOADS", "HTML", "PATH_CHANGED", "PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED",
        ] {
            #expect(extensions[name] == true, "\(name)")
        }
    }

    @Test func healthIsOKOrUnavailable() throws {
        let (server, dead) = (try TestServer(), try TestServer(isAlive: false))
        let alive = try #require(Answer.get(server.port, "/health", ["Accept": "text/html"]))
        let sound =
            "{\"latest\":\"\",\"nonFinite\":0,\"overloaded\":false,\"plausible\":true,\"recentResets\":0,\"recentSeconds\":10,\"resets\":0,"
            + "\"silentListeners\":[]}"
        #expect(alive.status == 200 && alive.text == "{\"blocks\":12,\"sound\":\(sound),\"status\":\"ok\",\"xruns\":3}")
        #expect(Answer.get(dead.port, "/health")?.status == 503)
    }

    @Test func aBrowserGetsThePanel() throws {
        let server = try TestServer(panel: try makePanel())
        let page = ["Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]
        for path in ["/", "/listener/1", "/panel", "/panel/", "/panel/index.html"] {
            let answer = try #require(Answer.get(server.port, path, page))
            #expect(answer.status == 200 && answer.text.contains("<title>Panel"), "\(path)")
            #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            #expect(answer.headers["cache-control"] == "no-cache")
        }
        #expect(Answer.get(server.port, "/?HOST_INFO", page)?.json["NAME"] as? String == "Vestibule")
        let script = try #require(Answer.get(server.port, "/panel/parts/a.js"))
        #expect(script.headers["content-type"] == "text/javascript; charset=utf-8" && script.text == "export const a = 1")
        let tag = try #require(script.headers["etag"])
        let again = try #require(Answer.get(server.port, "/panel/parts/a.js", ["If-None-Match": tag]))
        #expect(again.status == 304 && again.body.isEmpty)
        let bare = try TestServer()
        #expect(Answer.get(bare.port, "/", page)?.status == 404)
    }

    @Test func pagesAreJoinedFromTheirParts() throws {
        let panel = try makePanel()
        let server = try TestServer(panel: panel)
        let page = try #require(Answer.get(server.port, "/panel/joined.html"))
        #expect(page.status == 200 && page.text == "<head><meta name=head></head>{{b}}")
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        let tag = try #require(page.headers["etag"])
        #expect(Answer.get(server.port, "/panel/joined.html", ["If-None-Match": tag])?.status == 304)
        let part = try #require(Answer.get(server.port, "/panel/joined.html", ["Range": "bytes=6-15"]))
        #expect(part.status == 206 && part.text == "<meta name" && part.headers["content-range"] == "bytes 6-15/34")
        // Another head of the same size is another page.
        try Data("<meta name=tail>".utf8).write(to: URL(filePath: panel + "/pages/head.html"))
        let changed = try #require(Answer.get(server.port, "/panel/joined.html", ["If-None-Match": tag]))
        #expect(changed.status == 200 && changed.text == "<head><meta name=tail></head>{{b}}")
    }

    @Test(arguments: [
        "/panel/../../etc/passwd", "/panel/%2e%2e/secret.txt", "/panel/..%2fsecret.txt", "/panel/way-out/secret.txt",
        "/panel/parts/../../secret.txt", "/panel//etc/passwd", "/panel/.hidden", "/panel/parts",
        "/panel/..\\secret.txt", "/panel/%252e%252e/secret.txt", "/../secret.txt",
    ])
    func nothingOutsideOfTheFolderIsServed(_ target: String) throws {
        let server = try TestServer(panel: try makePanel())
        if let answer = Answer.get(server.port, target) {
            #expect([403, 404].contains(answer.status))
            #expect(!answer.text.contains("nobody reads") && !answer.text.contains("root:"))
        }
        #expect(Answer.get(server.port, "/listener/1/gain")?.status == 200)
    }

    @Test(arguments: ["/panel/a%00b", "/panel/%00", "/%00", "/listener/1/gain?VALUE=%00", "/panel/%01", "/panel/a%7f"])
    func controlCharactersInAddressesAreAnswered(_ target: String) throws {
        let server = try TestServer(panel: try makePanel())
        #expect(Answer.get(server.port, target)?.status == 400)
        #expect(Answer.get(server.port, "/listener/1/gain")?.status == 200)
    }

    /// An escaped end of a line stays a part of the address: nothing after it becomes a header, or another request.
    @Test(arguments: [
        "/listener/1/gain?VALUE=%0d%0aX:%20y", "/listener/1/gain?%0D%0A%0D%0AGET", "/listener/1/gain?%0a", "/panel/a%0d%0ab", "/%0D",
    ])
    func escapedLineEndsAreAnswered(_ target: String) throws {
        let server = try TestServer(panel: try makePanel())
        for method in ["GET", "HEAD", "POST"] {
            let client = RawClient(server.port)
            client.send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let head = try #require(client.readHeaders())
            #expect(head.hasPrefix("HTTP/1.1 400 "), "\(head)")
        }
        let text = try #require(Answer.get(server.port, target)).text
        #expect(text == "an address has no #, no ; after the question mark, and no control characters, such as %00, %0A and %0D\n")
    }

    @Test(arguments: ["/%zz", "/a%", "/a%2", "/%2%41", "/listener/1/gain?VALUE=%", "/listener/1/gain?%G0&VALUE", "/panel/%%30"])
    func malformedEscapesAreAnsweredWithTheCause(_ target: String) throws {
        let server = try TestServer(panel: try makePanel())
        let answer = try #require(Answer.get(server.port, target))
        #expect(answer.status == 400)
        #expect(answer.text == "two hexadecimal digits must follow each % in an address; a percent sign itself is written %25\n")
        // A client cannot send what stands for such an escape.
        let sent = try #require(Answer.get(server.port, "/a%02"))
        #expect(sent.status == 400 && sent.text.hasPrefix("an address has no #"))
    }

    /// Wherever the pieces are cut in which a request arrives, also after one with a body on the same connection; bodies and headers are
    /// left as they are.
    @Test func escapesAreFoundInPieces() throws {
        let server = try TestServer(panel: try makePanel())
        let body = "{\"token\":\"%0d%00%zz\"}"
        let requests = [
            "POST /login HTTP/1.1\r\nHost: localhost\r\ncontent-LENGTH: \(body.utf8.count)\r\n\r\n\(body)",
            "GET /listener/1/gain?VALUE HTTP/1.1\r\nHost: localhost\r\nX-Other: %0d%0a%zz\r\n\r\n",
            "GET /listener/1/gain?VALUE=%0d%0a HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
        for size in [1, 2, 3, 7, 1000] {
            let client = RawClient(server.port)
            var statuses: [Int] = []
            for request in requests {
                let bytes = Array(request.utf8)
                for at in stride(from: 0, to: bytes.count, by: size) { client.send(Array(bytes[at..<min(bytes.count, at + size)])) }
                statuses.append(try #require(Answer(reading: client)).status)
            }
            #expect(statuses == [200, 200, 400], "\(size) bytes at a time: \(statuses)")
        }
        // Those that need not wait, at once.
        let client = RawClient(server.port)
        client.send(requests[1] + requests[2])
        #expect([Answer(reading: client), Answer(reading: client)].map { $0?.status } == [200, 400])
    }

    @Test(arguments: [
        ("9223372036854775808", 413), ("18446744073709551616", 413), ("999999999999999999999999", 413), ("5000", 413),
        ("1000000000000000000", 413), ("-1", 400), ("1e3", 400),
    ])
    func tooLargeBodiesAreRefusedAsSuch(_ length: String, _ status: Int) throws {
        let server = try TestServer()
        let answer = try #require(Answer(RawClient(server.port), "POST", "/login", ["Content-Length": length]))
        #expect(answer.status == status && (status == 400 || answer.text.contains("too large") || answer.text.contains("longer than")))
        let get = try #require(Answer(RawClient(server.port), "GET", "/health", ["Content-Length": length]))
        #expect(get.status == 400)
    }

    @Test func wrongNumbersOfTheTableOfListenersAreRefused() throws {
        let server = try TestServer()
        #expect(Answer.get(server.port, "/listeners?from=0&count=5")?.status == 200)
        for (query, name, number) in [
            ("from=x", "from", "x"), ("count=-1", "count", "-1"), ("count=", "count", ""), ("from=1.5&count=2", "from", "1.5"),
            ("count=99999999999999999999", "count", "99999999999999999999"), ("count=%20", "count", " "),
        ] {
            let answer = try #require(Answer.get(server.port, "/listeners?\(query)"))
            let text = "\(name) is \"\(number)\", but must be a whole number from 0 to 1000000\n"
            #expect(answer.status == 400 && answer.text == text, "\(query): \(answer.text)")
        }
    }

    @Test func largeFilesAndByteRangesAreServed() throws {
        let server = try TestServer(panel: try makePanel())
        let whole = try #require(Answer.get(server.port, "/panel/large.bin"))
        let expected = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(whole.status == 200 && whole.body == expected && whole.headers["accept-ranges"] == "bytes")
        func part(_ range: String, _ more: [String: String] = [:]) throws -> Answer {
            try #require(Answer.get(server.port, "/panel/large.bin", ["Range": range].merging(more) { $1 }))
        }
        let middle = try part("bytes=1000-100999")
        #expect(middle.status == 206 && middle.body == Array(expected[1000..<101_000]))
        #expect(middle.headers["content-range"] == "bytes 1000-100999/300000")
        #expect(try part("bytes=299999-").body == [expected[299_999]])
        #expect(try part("bytes=-5").body == Array(expected[299_995...]))
        #expect(try part("bytes=299990-999999").headers["content-range"] == "bytes 299990-299999/300000")
        let beyond = try part("bytes=300000-")
        #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */300000")
        for odd in ["bytes=5-3", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes=-", "bytes=99999999999999999999-"] {
            #expect(try part(odd).status == 200, "\(odd)")
        }
        let tag = try #require(whole.headers["etag"])
        #expect(try part("bytes=0-9", ["If-Range": tag]).status == 206)
        #expect(try part("bytes=0-9", ["If-Range": "\"other\""]).status == 200)
        let head = Answer(RawClient(server.port), "HEAD", "/panel/large.bin")
        #expect(head?.headers["content-length"] == "300000")
    }

    @Test func anOfferOfHTTP2IsAnsweredInHTTP1() throws {
        let server = try TestServer(panel: try makePanel())
        let offer = ["Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA"]
        let value = try #require(Answer.get(server.port, "/listener/1/gain?VALUE", offer))
        #expect(value.status == 200 && value.text == "{\"VALUE\":[0]}" && value.headers["connection"] == "close")
        let large = try #require(Answer.get(server.port, "/panel/large.bin", offer))
        #expect(large.status == 200 && large.body.count == 300_000)
        // It would be read at once, and wait in memory for a client that does not take it.
        let huge = try #require(Answer.get(server.port, "/panel/huge.bin", offer))
        #expect(huge.status == 503 && huge.text.contains("without Upgrade"))
        #expect(Answer.get(server.port, "/panel/huge.bin")?.body.count == 1_500_000)
    }

    /// Proxies read an address with these in another way.
    @Test(arguments: ["/#/../panel/", "/panel/index.html#/../large.bin", "/panel/index.html?a;b", "/#"])
    func ambiguousAddressesAreRefused(_ target: String) throws {
        let server = try TestServer(panel: try makePanel())
        let client = RawClient(server.port)
        client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.readHeaders()?.hasPrefix("HTTP/1.1 400 ") == true)
    }

    @Test func garbageAndIncompleteRequestsDoNotAffectOthers() throws {
        let server = try TestServer()
        let half = RawClient(server.port)
        half.send("GET /listener/1")
        let garbage = RawClient(server.port)
        garbage.send((0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        let withBody = RawClient(server.port)
        withBody.send("GET /listener/1/gain?VALUE HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
        #expect(withBody.readHeaders()?.hasPrefix("HTTP/1.1 400") == true)
        let long = RawClient(server.port)
        long.send("GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n")
        #expect(Answer.get(server.port, "/listener/1/gain?VALUE")?.text == "{\"VALUE\":[0]}")
        half.close()
        #expect(Answer.get(server.port, "/listener/1/gain?VALUE")?.text == "{\"VALUE\":[0]}")
    }

    @Test func aPortInUseIsReportedWithARemedy() throws {
        let server = try TestServer()
        let tree = ParameterTree(listeners: 1, methods: ["linear"])
        func open(_ host: String, _ port: Int) throws {
            let hub = Hub(store: ParameterStore(tree)) { _, _ in false }
            let options = WebServer.Options(host: host, port: port, panel: nil, oscHost: host, oscPort: 0)
            _ = try WebServer(options, hub: hub)
        }
        let port = server.port
        #expect {
            try open("127.0.0.1", port)
        } throws: {
            "\($0)" == "TCP port \(port) of 127.0.0.1 is already in use; choose another one with --http-port, or 0 for any free port"
        }
        #expect {
            try open("203.0.113.9", 0)
        } throws: {
            "\($0)" == "this machine has no address 203.0.113.9 to bind; choose another one with --bind"
        }
    }

    /// Libraries that are installed on the system are served, and no other files.
    @Test func aSystemLibraryIsServed() throws {
        let server = try TestServer(panel: makePanel())
        let library = try #require(Answer.get(server.port, "/lib/dygraphs/dygraph.min.js"))
        #expect(library.status == 200 && library.headers["content-type"]?.hasPrefix("text/javascript") == true)
        #expect(library.text.contains("Dygraph"))
        #expect(Answer.get(server.port, "/lib/dygraphs/../jquery/jquery.js")?.status == 404)
        #expect(Answer.get(server.port, "/lib/dygraphs/src/../../x")?.status == 404)
        #expect(Answer.get(server.port, "/lib/other/dygraph.min.js")?.status == 404)
    }
}
