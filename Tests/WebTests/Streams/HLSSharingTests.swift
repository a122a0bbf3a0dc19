import Broadcast
import Testing
import Trust
import Web

/// Pages of other servers that play HLS streams.
@Suite struct HLSSharingTests {
    private static let (page, playlist) = ("https://museum.example", "/hls/listener/1/index.m3u8")

    private func server(_ origins: [String], tokens: AccessTokens? = nil) throws -> TestServer {
        try TestServer(tokens: tokens, adjust: { $0.hls.origins = origins })
    }

    /// Names and values of the headers that decide whether a page gets an answer.
    private func rules(_ answer: Answer?) -> [String: String] {
        (answer?.headers ?? [:]).filter {
            $0.key.hasPrefix("access-control-") || $0.key == "vary" || $0.key == "cross-origin-resource-policy"
        }
    }

    @Test func nothingIsSharedWithoutTheOption() throws {
        let server = try server([])
        #expect(rules(Answer.get(server.port, Self.playlist, ["Origin": Self.page])) == ["cross-origin-resource-policy": "same-origin"])
        #expect(Answer(RawClient(server.port), "OPTIONS", Self.playlist, ["Origin": Self.page])?.status == 405)
    }

    @Test func pagesOfAListMayPlay() throws {
        let server = try server(["http://other.example:8000", Self.page])
        let shared = ["cross-origin-resource-policy": "cross-origin", "vary": "Origin"]
        let allowed = shared.merging(["access-control-allow-origin": Self.page]) { $1 }
        for path in [Self.playlist, "/hls/listener/1/opus.m3u8", "/hls/listener/1/x/opus/init.mp4", "/hls/listener/choir/index.m3u8"] {
            #expect(rules(Answer.get(server.port, path, ["Origin": Self.page])) == allowed, "\(path)")
            #expect(rules(Answer.get(server.port, path, ["Origin": "https://evil.example"])) == shared, "\(path)")
            #expect(rules(Answer.get(server.port, path)) == shared, "\(path)")
        }
        // Nothing else is.
        for path in ["/hls/address", "/hls/access", "/hls", "/listener/1/gain?VALUE", "/health"] {
            #expect(
                rules(Answer.get(server.port, path, ["Origin": Self.page])) == ["cross-origin-resource-policy": "same-origin"], "\(path)")
        }
    }

    @Test func everyPageMayPlayWhereThatIsChosen() throws {
        let server = try server(["*"])
        let expected = ["cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*"]
        #expect(rules(Answer.get(server.port, Self.playlist)) == expected)
        #expect(rules(Answer.get(server.port, Self.playlist, ["Origin": "null"])) == expected)
    }

    @Test func questionsOfBrowsersAreAnswered() throws {
        let server = try server(
            [Self.page], tokens: AccessTokens(control: "c0ffee00c0ffee00c0ffee00c0ffee00", view: "ab1e0000ab1e0000ab1e0000ab1e0000"))
        func asked(_ path: String, _ origin: String) -> Answer? {
            Answer(RawClient(server.port), "OPTIONS", path, ["Origin": origin, "Access-Control-Request-Method": "GET"])
        }
        let answer = asked(Self.playlist, Self.page)
        #expect(answer?.status == 204 && answer?.headers["access-control-allow-methods"] == "GET, HEAD")
        #expect(
            answer?.headers["access-control-allow-origin"] == Self.page
                && answer?.headers["access-control-allow-headers"] == "Authorization, Range")
        #expect(asked(Self.playlist, "https://evil.example")?.status == 403)
        #expect(asked("/hls/address", Self.page)?.status == 403)
        #expect(asked("/listener/1/gain", Self.page)?.status == 405)
        // A token is needed as before, and the page is told.
        let denied = Answer.get(server.port, Self.playlist, ["Origin": Self.page])
        #expect(denied?.status == 401 && denied?.headers["access-control-allow-origin"] == Self.page)
        #expect(
            Answer.get(server.port, Self.playlist, ["Origin": Self.page, "Authorization": "Bearer ab1e0000ab1e0000ab1e0000ab1e0000"])?
                .status == 404)
    }

    @Test func originsAreWrittenAsBrowsersSendThem() {
        for text in ["*", "https://museum.example", "http://localhost:8000", "https://[2001:db8::1]:8443"] {
            #expect(HLSSettings.isOrigin(text), "\(text)")
        }
        for text in [
            "", "museum.example", "https://", "https://museum.example/", "https://Museum.example", "https://museum.example:443", "null",
            "ftp://a",
        ] {
            #expect(!HLSSettings.isOrigin(text), "\(text)")
        }
    }
}
