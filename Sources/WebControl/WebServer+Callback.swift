internal import CWebSockets

/// What libwebsockets calls for everything that happens.
///
/// - Returns: 0 to go on, -1 to close the connection, 1 for an upgrade that has been answered otherwise.
func serveConnection(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _: UnsafeMutableRawPointer?,
    _ data: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let user = lws_context_user(context) else { return 0 }
    switch reason {
    case LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_WRITEABLE, LWS_CALLBACK_CLOSED_HTTP,
        LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_RECEIVE,
        LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLOSED, LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        let server = Unmanaged<WebServer>.fromOpaque(user).takeUnretainedValue()
        return server.serve(wsi, reason, UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : length))
    // The default ends the transaction with the request's body, whether the response is written or not.
    case LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_HTTP_BODY_COMPLETION: return 0
    case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return 0
    // What is left are the library's own affairs, and its defaults for them are right.
    default: return lws_callback_http_dummy(wsi, reason, nil, data, length)
    }
}

extension WebServer {
    fileprivate func serve(
        _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ data: UnsafeRawBufferPointer
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
            handle.acknowledge()
            onWake()
        case LWS_CALLBACK_HTTP: return respond(wsi, Request(wsi))
        case LWS_CALLBACK_HTTP_WRITEABLE:
            guard let writer = writers[wsi] else { return 0 }
            let (isDone, result) = writer.writeMore(to: wsi)
            if isDone { writers[wsi] = nil }
            return result
        case LWS_CALLBACK_CLOSED_HTTP: writers[wsi] = nil
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirmUpgrade(wsi)
        case LWS_CALLBACK_ESTABLISHED: return open(wsi)
        case LWS_CALLBACK_RECEIVE: return connections[wsi]?.receive(data) == false ? -1 : 0
        case LWS_CALLBACK_SERVER_WRITEABLE: return connections[wsi]?.write() == false ? -1 : 0
        case LWS_CALLBACK_CLOSED: connections.removeValue(forKey: wsi)?.client.close()
        default: break
        }
        return 0
    }

    // MARK: HTTP

    private func respond(_ wsi: OpaquePointer, _ request: Request) -> Int32 {
        guard request.method != .other else {
            var response = Response.text(405, "only GET and HEAD")
            response.headers.append(("allow:", "GET, HEAD"))
            return finish(wsi, response)
        }
        let (writer, result) = ResponseWriter.begin(response(wsi, request), on: wsi, isHead: request.method == .head)
        writers[wsi] = writer
        return result
    }

    private func response(_ wsi: OpaquePointer, _ request: Request) -> Response {
        if request.path == "/health" {
            let health = health()
            return .json(health.httpStatus, health)
        }
        if request.path == "/panel" { return files.answer("", request) }
        if request.path.hasPrefix("/panel/") { return files.answer(String(request.path.dropFirst(7)), request) }
        if request.wantsPage { return files.answer("", request) }
        return OSCQueryService(hub: hub).answer(request.path, query: request.query) { hostInfo(wsi) }
    }

    /// Writes a whole response at once, what the socket does not take is kept by the library, and ends the connection.
    private func finish(_ wsi: OpaquePointer, _ response: Response, isHead: Bool = false) -> Int32 {
        var response = response
        response.headers.append(("connection:", "close"))
        let (writer, _) = ResponseWriter.begin(response, on: wsi, isHead: isHead)
        while let writer, !writer.writeMore(to: wsi).isDone {}
        return -1
    }

    private func hostInfo(_ wsi: OpaquePointer) -> HostInfo {
        HostInfo(
            OSC_IP: LocalAddress.reachable(options.oscHost, by: wsi), OSC_PORT: options.oscPort,
            WS_IP: LocalAddress.reachable(options.host, by: wsi), WS_PORT: port)
    }

    // MARK: WebSockets

    private func confirmUpgrade(_ wsi: OpaquePointer) -> Int32 {
        let request = Request(wsi)
        // An upgrade to HTTP/2 is an offer that may be passed over, and in this library (4.1) its first stream
        // never gets a window. Some clients make it with every request.
        if let wanted = request.header(WSI_TOKEN_UPGRADE)?.lowercased(), wanted != "websocket" {
            guard request.method != .other else { return finish(wsi, .text(405, "only GET and HEAD")) }
            return finish(wsi, response(wsi, request), isHead: request.method == .head)
        }
        let (origin, host) = (request.header(WSI_TOKEN_ORIGIN), request.header(WSI_TOKEN_HOST))
        if !Origin.isAllowed(origin: origin, host: host) {
            noteRefusedOrigin(origin ?? "", host: host)
            return finish(wsi, .text(403, "this WebSocket is for pages that come from this server"))
        }
        if let listener = audioListener(request.path), streams[listener] == nil {
            return finish(wsi, .text(404, "there is no sound at \(request.path)"))
        }
        return 0
    }

    private func open(_ wsi: OpaquePointer) -> Int32 {
        let wake = { _ = lws_callback_on_writable(wsi) }
        if let listener = audioListener(Request(wsi).path) {
            guard let stream = streams[listener] else { return -1 }
            connections[wsi] = SocketConnection(wsi, AudioClient(stream, wake: wake))
        } else {
            connections[wsi] = SocketConnection(wsi, QueryClient(hub: hub, wake: wake))
        }
        return 0
    }

    /// N of `/audio/N`; 0, whom nobody is, for anything else below `/audio`.
    private func audioListener(_ path: String) -> Int? {
        guard path == "/audio" || path.hasPrefix("/audio/") else { return nil }
        return Int(path.dropFirst("/audio/".count)) ?? 0
    }
}
