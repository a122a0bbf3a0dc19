internal import Trust

/// One endpoint of the server: a row of the table by which requests are routed, admitted and limited, and from which `protocol/http.md`
/// and the tests of access are made.
struct Route {
    /// Ways to use an address.
    enum Method: String, CaseIterable {
        /// GET, and HEAD.
        case get = "GET"
        /// GET of a browser that opens the address as a page, and HEAD: goes before ``get`` at the same path.
        case page = "page"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
        case socket = "WebSocket"

        /// The methods of HTTP, as errors list them.
        var names: [String] {
            switch self {
            case .get: ["GET", "HEAD"]
            case .page, .socket: []
            case .post, .patch, .delete, .options: [rawValue]
            }
        }
    }

    /// Who may use a route.
    enum Audience: String {
        case everybody, view, control

        /// Whether a sender may; nil for one who has not shown a token.
        func includes(_ visitor: Visitor?) -> Bool {
            switch self {
            case .everybody: true
            case .view: visitor != nil
            case .control: visitor?.role == .control
            }
        }
    }

    /// What is done with a request that has been admitted.
    enum Action {
        /// The answer, at once. Those who may not control see it without the machine's folders.
        case answer((Exchange) -> Response)
        /// A file of the panel, by its path in the folder.
        case panel(String)
        /// The answer to a JSON object of this form in the body, of at most ``JSONBodies/longest`` bytes; nil for one of another form.
        case json(form: String, (_ body: [UInt8], Sender) throws -> Response?)
        /// The answer, or nil when the part follows with it, perhaps after the body, whose size the part limits.
        case later(any LaterAnswers, (Exchange) -> Response?)
        /// The reason to refuse a WebSocket, if any, and the client of one that is open.
        case socket(refusal: (Exchange) -> Response?, client: (Exchange) -> (any SocketClient)?)
    }

    let path: RoutePath
    let methods: [Method]
    let audience: Audience
    /// What it is for, in `protocol/http.md`.
    let summary: String
    /// The subprotocol of a WebSocket that has a row of its own.
    var subprotocol: String?
    /// Bytes of a message that a client of a WebSocket may send.
    var longestMessage = 65_536
    /// Whether it is also served without TLS by a server with TLS.
    var isPlain = false
    /// Whether the address may carry a token or the key of streams.
    var carriesKey = false
    let action: Action

    var isSocket: Bool { methods == [.socket] }

    /// Whether it precedes another row at the same path.
    var isSpecial: Bool { subprotocol != nil || methods.contains(.page) }

    func accepts(_ method: Method, subprotocol: String?) -> Bool {
        let isKnown = methods.contains(method) || method == .page && methods.contains(.get)
        return isKnown && (self.subprotocol == nil || self.subprotocol == subprotocol)
    }
}

extension Route {
    static func get(_ path: RoutePath, _ audience: Audience, _ summary: String, _ answer: @escaping (Exchange) -> Response) -> Route {
        Route(path: path, methods: [.get], audience: audience, summary: summary, action: .answer(answer))
    }

    /// A page of the panel, which needs no login: the page itself asks for one.
    static func page(_ path: RoutePath, _ file: String, _ summary: String) -> Route {
        Route(path: path, methods: [.get], audience: .everybody, summary: summary, action: .panel(file))
    }

    /// - Parameter form: of the body, for errors and the documentation.
    static func json<Content: Decodable>(
        _ path: RoutePath, _ audience: Audience, _ summary: String, form: String,
        _ answer: @escaping (Content, Sender) throws -> Response
    ) -> Route {
        Route(
            path: path, methods: [.post], audience: audience, summary: summary,
            action: .json(form: form) { body, sender in try JSONBodies.decode(body).map { try answer($0, sender) } })
    }

    static func socket(
        _ path: RoutePath, _ audience: Audience, _ summary: String, subprotocol: String? = nil, longestMessage: Int = 65_536,
        refusal: @escaping (Exchange) -> Response? = { _ in nil }, client: @escaping (Exchange) -> (any SocketClient)?
    ) -> Route {
        Route(
            path: path, methods: [.socket], audience: audience, summary: summary, subprotocol: subprotocol,
            longestMessage: longestMessage, action: .socket(refusal: refusal, client: client))
    }
}

/// Path of a route: the whole, or the beginning of a path up to the first brace, after which anything may follow: `/takes/{take}/{file}`.
struct RoutePath: ExpressibleByStringLiteral, Hashable {
    let text: String
    /// What paths begin with, or all of the path.
    let prefix: String
    let isWhole: Bool

    init(_ text: String) {
        self.text = text
        prefix = String(text.prefix { $0 != "{" })
        isWhole = prefix.utf8.count == text.utf8.count
    }

    init(stringLiteral text: String) { self.init(text) }

    /// The part of a path after ``prefix``; nil for a path that is not this one.
    func rest(_ path: String) -> String? {
        guard !isWhole else { return path == text ? "" : nil }
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }
}

/// A request that has been admitted.
struct Exchange {
    let connection: Connection
    let request: Request
    /// Its sender; nil for one who has not shown a token, on a route for everybody.
    let visitor: Visitor?
    /// The part of the path that stands in braces in the route.
    let rest: String

    var mayControl: Bool { visitor?.role == .control }
    var isHead: Bool { request.method == .head }

    /// Requests that the connection is written to when it has room.
    var wake: () -> Void { { [connection] in connection.requestWriting() } }
}

/// The sender of a body, when the headers of the request are no longer kept.
struct Sender {
    let connection: Connection
    /// The Host header.
    let host: String?
    let mayControl: Bool
}
