internal import Trust

/// One endpoint of the server: a row of the table by which requests are routed, admitted and limited, and from which `protocol/http.md`
/// and the tests of access are made.
package struct Route {
    /// Ways to use an address.
    package enum Method: String, CaseIterable {
        /// GET, and HEAD.
        case get = "GET"
        /// GET of a browser that opens the address as a page, and HEAD: takes precedence over ``get`` at the same path.
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
    package enum Audience: String {
        case everybody, view, control

        /// Whether a sender may use the route; nil stands for one who has not shown a token.
        func includes(_ visitor: Visitor?) -> Bool {
            switch self {
            case .everybody: true
            case .view: visitor != nil
            case .control: visitor?.role == .control
            }
        }
    }

    /// Handling of a request that has been admitted.
    package enum Action {
        /// The answer, at once. Clients that may not control see it without the machine's folders.
        case answer((Exchange) -> Response)
        /// A file of the panel, by its path in the folder.
        case panel(String)
        /// The answer to a JSON object of this form in the body, of at most ``JSONBodies/longest`` bytes; nil for one of another form.
        case json(form: String, (_ body: [UInt8], Sender) throws -> Response?)
        /// The answer, or nil when the part answers later, perhaps after the body, whose size the part limits.
        case later(any LaterAnswers, (Exchange) -> Response?)
        /// The reason to refuse a WebSocket, if any, and the client of one that is open.
        case socket(refusal: (Exchange) -> Response?, client: (Exchange) -> (any SocketClient)?)
    }

    let path: RoutePath
    let methods: [Method]
    let audience: Audience
    /// Purpose, as `protocol/http.md` states it.
    let summary: String
    /// Subprotocol for which a WebSocket has a row of its own.
    let subprotocol: String?
    /// Bytes of a message that a client of a WebSocket may send.
    let longestMessage: Int
    /// Whether it is also served without TLS by a server with TLS.
    var isPlain = false
    /// Whether its answers are made for their receiver already, without the machine's folders for those who may not control.
    package var isAdapted = false
    /// Token or key that the address may carry in place of a login.
    let key: AddressKey
    /// Headers of every answer, refusals included, for pages of other servers.
    let headers: (Request) -> [(name: String, value: String)]
    let action: Action

    var isSocket: Bool { methods == [.socket] }

    package init(
        path: RoutePath, methods: [Method], audience: Audience, summary: String, subprotocol: String? = nil,
        longestMessage: Int = 65_536, key: AddressKey = AddressKey(),
        headers: @escaping (Request) -> [(name: String, value: String)] = { _ in [] }, action: Action
    ) {
        (self.path, self.methods, self.audience, self.summary) = (path, methods, audience, summary)
        (self.subprotocol, self.longestMessage, self.key, self.headers) = (subprotocol, longestMessage, key, headers)
        self.action = action
    }

    /// Whether it precedes another row at the same path.
    var isSpecial: Bool { subprotocol != nil || methods.contains(.page) }

    func accepts(_ method: Method, subprotocol: String?) -> Bool {
        let isKnown = methods.contains(method) || method == .page && methods.contains(.get)
        return isKnown && (self.subprotocol == nil || self.subprotocol == subprotocol)
    }
}

extension Route {
    package static func get(_ path: RoutePath, _ audience: Audience, _ summary: String, _ answer: @escaping (Exchange) -> Response) -> Route
    {
        Route(path: path, methods: [.get], audience: audience, summary: summary, action: .answer(answer))
    }

    /// A page of the panel, which needs no login: the page itself asks for one.
    package static func page(_ path: RoutePath, _ file: String, _ summary: String) -> Route {
        Route(path: path, methods: [.get], audience: .everybody, summary: summary, action: .panel(file))
    }

    /// - Parameter form: of the body, for errors and the documentation.
    package static func json<Content: Decodable>(
        _ path: RoutePath, _ audience: Audience, _ summary: String, form: String,
        _ answer: @escaping (Content, Sender) throws -> Response
    ) -> Route {
        Route(
            path: path, methods: [.post], audience: audience, summary: summary,
            action: .json(form: form) { body, sender in try JSONBodies.decode(body).map { try answer($0, sender) } })
    }

    package static func socket(
        _ path: RoutePath, _ audience: Audience, _ summary: String, subprotocol: String? = nil, longestMessage: Int = 65_536,
        refusal: @escaping (Exchange) -> Response? = { _ in nil }, client: @escaping (Exchange) -> (any SocketClient)?
    ) -> Route {
        Route(
            path: path, methods: [.socket], audience: audience, summary: summary, subprotocol: subprotocol,
            longestMessage: longestMessage, action: .socket(refusal: refusal, client: client))
    }
}

/// A token, or the key of streams, in the address of a request; nil without one.
package struct AddressKey {
    let token: (Request) -> String?
    let key: (Request) -> String?

    package init(token: @escaping (Request) -> String? = { _ in nil }, key: @escaping (Request) -> String? = { _ in nil }) {
        (self.token, self.key) = (token, key)
    }
}

/// Path of a route: the whole, or the beginning of a path up to the first brace, after which anything may follow: `/takes/{take}/{file}`.
package struct RoutePath: ExpressibleByStringLiteral, Hashable {
    package let text: String
    /// The beginning of the paths that match, or the whole path.
    let prefix: String
    package let isWhole: Bool

    package init(_ text: String) {
        self.text = text
        prefix = String(text.prefix { $0 != "{" })
        isWhole = prefix.utf8.count == text.utf8.count
    }

    package init(stringLiteral text: String) { self.init(text) }

    /// The part of a path after ``prefix``; nil for a path that does not match.
    func rest(_ path: String) -> String? {
        guard !isWhole else { return path == text ? "" : nil }
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }
}

/// A request that has been admitted.
package struct Exchange {
    package let connection: Connection
    package let request: Request
    /// Its sender; nil for one who has not shown a token, on a route for everybody.
    package let visitor: Visitor?
    /// The part of the path that stands in braces in the route.
    package let rest: String

    package var mayControl: Bool { visitor?.role == .control }
    package var isHead: Bool { request.method == .head }

    /// Function that asks to write to the connection when it has room.
    package var wake: () -> Void { { [connection] in connection.requestWriting() } }
}

/// The sender of a body, kept until the body is complete: the headers of the request are not.
package struct Sender {
    package let connection: Connection
    /// The Host header.
    package let host: String?
    package let mayControl: Bool
}
