internal import CFrameMask
internal import CWebSockets

/// Decides about upgrades to WebSockets by the table of routes, and gives each new one its client.
final class SocketService {
    var routes = RouteTable([])
    private let policy: RequestPolicy
    private let http: HTTPService
    private let connections: ConnectionTable

    init(policy: RequestPolicy, http: HTTPService, connections: ConnectionTable) {
        (self.policy, self.http, self.connections) = (policy, http, connections)
    }

    /// Decides about an upgrade.
    /// - Returns: 0 to grant it; otherwise the request has been answered.
    func confirmUpgrade(_ connection: Connection) -> Int32 {
        let request = Request(connection.wsi)
        if let refusal = RequestForm.refusal(request) { return http.finish(connection, request, refusal) }
        // An upgrade to HTTP/2 is an offer that may be ignored, and in this library (4.1) its first stream never gets a
        // window. Some clients make it with every request.
        if let wanted = request.header(WSI_TOKEN_UPGRADE)?.lowercased(), wanted != "websocket" {
            let canIgnore = request.method == .get || request.method == .head
            return http.finish(connection, request, canIgnore ? nil : .text(405, "only GET and HEAD can be upgraded"))
        }
        guard request.method == .get else { return http.finish(connection, request, .text(405, "only GET opens a WebSocket")) }
        do throws(RequestPolicy.Refusal) {
            let (route, exchange) = try admit(connection, request)
            if let refusal = RequestForm.upgradeRefusal(request) { return http.finish(connection, request, refusal) }
            guard case .socket(let refusal, _) = route.action, let response = refusal(exchange) else { return 0 }
            return http.finish(connection, request, http.shown(response, exchange))
        } catch { return http.finish(connection, request, error.response) }
    }

    /// Opens a WebSocket whose upgrade has been granted.
    /// - Returns: 0, or -1 when it has to be closed again.
    func open(_ connection: Connection) -> Int32 {
        guard frame_mask_begin(lws_get_socket_fd(connection.wsi)) else {
            lws_close_reason(connection.wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR, nil, 0)
            return -1
        }
        guard let (route, exchange) = try? admit(connection, Request(connection.wsi)), case .socket(_, let make) = route.action,
            let client = make(exchange)
        else { return -1 }
        connections.open(connection.wsi, client, pairedClient: exchange.visitor?.pairedClient, longestMessage: route.longestMessage)
        return 0
    }

    private func admit(_ connection: Connection, _ request: Request) throws(RequestPolicy.Refusal) -> (Route, Exchange) {
        let match = routes.match(request.path, .socket, subprotocol: request.header(WSI_TOKEN_PROTOCOL))
        guard case .found(let route, let rest) = match else {
            throw RequestPolicy.Refusal(response: .text(404, "there is no WebSocket at this path"))
        }
        return (route, try policy.admit(connection, request, route, rest: rest))
    }
}
