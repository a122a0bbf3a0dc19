internal import CFrameMask
internal import CWebSockets
internal import Foundation

/// Decides whether a request is admitted: by its host name, TLS, its method, its login and its origin.
final class RequestPolicy {
    private let access: AccessControl
    private let address: ServerAddress
    private let clients: PairedClientService

    /// - Parameter clients: notified when a paired client makes a request.
    init(access: AccessControl, address: ServerAddress, clients: PairedClientService) {
        self.access = access
        self.address = address
        self.clients = clients
    }

    /// The answer to a request that is refused or redirected.
    struct Refusal: Error { let response: Response }

    /// Admits a request to a route.
    /// - Parameter rest: the part of the path that stands in braces in the route.
    func admit(_ connection: Connection, _ request: Request, _ route: Route, rest: String) throws(Refusal) -> Exchange {
        do throws(Refusal) {
            try admitHost(connection, request, route)
            return Exchange(connection: connection, request: request, visitor: try admitSender(connection, request, route), rest: rest)
        } catch {
            var response = error.response
            // With the route's headers, a page of another server can read the reason.
            response.headers += route.headers(request)
            throw Refusal(response: response)
        }
    }

    /// Checks the host name of a request and, where the server has TLS, that it came by TLS.
    /// - Parameter route: nil for a request that no route supports.
    func admitHost(_ connection: Connection, _ request: Request, _ route: Route?) throws(Refusal) {
        let local = LocalAddress.reachable("0.0.0.0", by: connection)
        if let problem = access.hostProblem(request.host, local: local) {
            throw Refusal(response: .text(403, problem))
        }
        if let redirection = redirection(connection, request, route, local: local) { throw Refusal(response: redirection) }
    }

    /// Checks the login of a request, its origin, and what the login may do. Browsers let pages of other servers send requests and open
    /// WebSockets, but not read answers.
    private func admitSender(_ connection: Connection, _ request: Request, _ route: Route) throws(Refusal) -> Visitor? {
        let visitor = visitor(connection, request, route)
        if visitor == nil, route.audience != .everybody { throw Refusal(response: strangerRefusal(connection, request, route)) }
        if route.isSocket || !request.isReading, !isSameOrigin(connection, request) {
            let use = route.isSocket ? "open WebSockets" : "send \(request.method.name) requests"
            throw Refusal(response: .text(403, "only pages of this server may \(use) to it"))
        }
        guard route.audience.includes(visitor) else {
            throw Refusal(response: .text(403, "this login may view and listen, but not control"))
        }
        return visitor
    }

    /// The answer to a request without a valid token.
    private func strangerRefusal(_ connection: Connection, _ request: Request, _ route: Route) -> Response {
        let peer = connection.client
        // Wrong stream keys are not counted: players keep sending an old key, which must not lock out others at the same address.
        if let token = credentials(request, route).token {
            guard !access.mustWait(peer, with: token) else {
                return .text(429, "too many wrong tokens from this address; try again in a minute")
            }
            access.countWrongToken(peer)
        } else {
            access.logMissingToken(peer)
        }
        var response = Response.text(401, "this server needs a token, which the computer that runs it shows and stores")
        response.headers.append(("www-authenticate:", "Bearer realm=\"vestibule\""))
        return response
    }

    /// Identifies the sender of a request; nil when it has to show a token first, and when too many wrong ones have come from its address.
    private func visitor(_ connection: Connection, _ request: Request, _ route: Route) -> Visitor? {
        let credentials = credentials(request, route)
        if let token = credentials.token, access.mustWait(connection.client, with: token) { return nil }
        let visitor = access.visitor(credentials)
        if let visitor, let client = visitor.pairedClient { clients.noteRequest(client, visitor.role, connection.client) }
        return visitor
    }

    private func credentials(_ request: Request, _ route: Route) -> Credentials {
        Credentials(
            authorization: request.header(WSI_TOKEN_HTTP_AUTHORIZATION), cookie: request.header(WSI_TOKEN_HTTP_COOKIE),
            protocols: request.customHeader(REQUEST_PROTOCOLS_HEADER),
            query: route.key.token(request), streamKey: route.key.key(request))
    }

    /// Whether a request comes from a page of this server, or from a program other than a browser.
    private func isSameOrigin(_ connection: Connection, _ request: Request) -> Bool {
        let (origin, host) = (request.origin, request.host)
        if Origin.isAllowed(origin: origin, host: host, isSecure: connection.isSecure) { return true }
        access.logForeignOrigin(origin ?? "", host: host)
        return false
    }

    /// The redirection to TLS of a request that came without it; nil when the request is answered as it is.
    /// - Parameter local: the address of this machine that the connection came to.
    private func redirection(_ connection: Connection, _ request: Request, _ route: Route?, local: String) -> Response? {
        guard address.hasTLS, !connection.isSecure else { return nil }
        let isPlain = (request.method == .get || request.method == .head) && request.header(WSI_TOKEN_UPGRADE) == nil
        if isPlain, route?.isPlain == true { return nil }
        let origin = address.secureOrigin(request.host, local: local)
        guard isPlain else { return .text(403, "this is available over TLS only, at \(origin)") }
        let path = request.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
        let query = request.query?.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed).map { "?\($0)" } ?? ""
        var response = Response.text(308, "moved to TLS, at \(origin)")
        response.headers.append(("location:", origin + path + query))
        return response
    }
}
