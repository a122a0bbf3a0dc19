internal import Web

/// Lets pages of other servers play the streams: browsers give them only answers that allow it (CORS).
struct HLSSharing {
    /// As browsers send them in the Origin header; `*` stands for all.
    let origins: [String]

    private static let isShared = (name: ResponseHeaders.resourcePolicy.name, value: "cross-origin")
    /// Seconds for which browsers may keep the answer to a preflight request.
    private static let age = 86_400

    /// Headers of every answer to a request; none for addresses that players do not request, and none without the option.
    func headers(_ request: Request) -> [(name: String, value: String)] {
        guard !origins.isEmpty, HLSAddress(request.path)?.isForPlayers ?? request.path.hasSuffix(".m3u8") else { return [] }
        if origins.contains("*") { return [Self.isShared, ("access-control-allow-origin:", "*")] }
        let varying = [Self.isShared, ("vary:", "Origin")]
        return allowed(request).map { varying + [("access-control-allow-origin:", $0)] } ?? varying
    }

    /// Route by which a browser asks whether a page of another server may send a request (preflight); none without the option.
    var routes: [Route] {
        guard !origins.isEmpty else { return [] }
        return [
            Route(
                path: "/hls/{path}", methods: [.options], audience: .everybody,
                summary: "Asks whether a page of another server may play a stream (`--hls-origin`).",
                headers: headers, action: .answer { answer($0.request) })
        ]
    }

    private func answer(_ request: Request) -> Response {
        let headers = headers(request)
        guard headers.contains(where: { $0.name == "access-control-allow-origin:" }) else {
            var response = Response.text(403, "only pages whose origin was given with --hls-origin may play this server's streams")
            response.headers += headers
            return response
        }
        var response = Response.empty(204)
        response.headers =
            [
                ("access-control-allow-methods:", "GET, HEAD"), ("access-control-allow-headers:", "Authorization, Range"),
                ("access-control-max-age:", "\(Self.age)"),
            ] + headers
        return response
    }

    private func allowed(_ request: Request) -> String? {
        guard let origin = request.origin, origins.contains(origin) else { return nil }
        return origin
    }
}

extension HLSAddress {
    /// Whether players request it, as opposed to the panel and proxies.
    var isForPlayers: Bool {
        switch self {
        case .access, .address: false
        case .index, .playlist, .resource: true
        }
    }
}
