internal import CWebSockets

/// What libwebsockets calls for everything that happens.
///
/// - Returns: 0 to go on, -1 to close the connection, 1 for an upgrade that has been answered otherwise.
func serveConnection(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ data: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let owner = lws_context_user(context) else { return 0 }
    let server = Unmanaged<WebServer>.fromOpaque(owner).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return server.filter(user?.assumingMemoryBound(to: lws_filter_network_conn_args.self))
    case LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_WRITEABLE, LWS_CALLBACK_CLOSED_HTTP,
        LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_RECEIVE,
        LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLOSED, LWS_CALLBACK_EVENT_WAIT_CANCELLED,
        LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_HTTP_BODY_COMPLETION, LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED,
        LWS_CALLBACK_WSI_DESTROY:
        return server.serve(wsi, reason, UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : length))
    case LWS_CALLBACK_RECEIVE_PONG:
        server.connections[wsi]?.receivePong(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : length))
        return 0
    case LWS_CALLBACK_RAW_RX_FILE:
        LoopTimer.of(wsi)?.fire()
        return 0
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return 0
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
        case LWS_CALLBACK_CLOSED_HTTP: (writers[wsi], uploads[wsi]) = (nil, nil)
        // Bodies of other requests are passed over; the library's default would end the transaction with them.
        case LWS_CALLBACK_HTTP_BODY: return receiveUpload(wsi, data)
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return finishUpload(wsi)
        case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: counts.add(wsi, PeerName.of(wsi))
        case LWS_CALLBACK_WSI_DESTROY: counts.remove(wsi)
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirmUpgrade(wsi)
        case LWS_CALLBACK_ESTABLISHED: return open(wsi)
        case LWS_CALLBACK_RECEIVE: return connections[wsi]?.receive(data) == false ? -1 : 0
        case LWS_CALLBACK_SERVER_WRITEABLE: return SocketConnection.of(wsi)?.write() == false ? -1 : 0
        case LWS_CALLBACK_CLOSED:
            lws_set_opaque_user_data(wsi, nil)
            guard let client = connections.removeValue(forKey: wsi)?.client else { return 0 }
            droppedBefore[client.kind, default: 0] += client.dropped
            client.close()
        default: break
        }
        return 0
    }

    // MARK: HTTP

    private func respond(_ wsi: OpaquePointer, _ request: Request) -> Int32 {
        if let refusal = refusal(wsi, request) {
            let hasBody = request.method == .post || request.method == .other
            return hasBody ? finish(wsi, refusal) : send(wsi, refusal, isHead: request.method == .head)
        }
        if request.method == .post { return beginUpload(wsi, request) }
        return send(wsi, response(wsi, request), isHead: request.method == .head)
    }

    func send(_ wsi: OpaquePointer, _ response: Response, isHead: Bool = false) -> Int32 {
        let (writer, result) = ResponseWriter.begin(response, on: wsi, isHead: isHead)
        writers[wsi] = writer
        return result
    }

    private func response(_ wsi: OpaquePointer, _ request: Request) -> Response {
        if request.path == "/health" {
            let health = health()
            return .json(health.httpStatus, health)
        }
        if request.path == "/pairing/devices" { return deviceList(visitor(wsi, request)) }
        if request.path == "/metrics" { return MetricsPage(self).response }
        if TrustPage.holds(request.path) { return trustPage(wsi, request) }
        if request.path == "/panel" { return files.answer("", request) }
        if request.path == "/phone" { return files.answer("phone.html", request) }
        if request.path == "/telemetry" { return files.answer("telemetry.html", request) }
        if let answer = SystemLibrary.dygraphs.answer(request.path, request) { return answer }
        if request.path.hasPrefix("/panel/") { return files.answer(String(request.path.dropFirst(7)), request) }
        if request.wantsPage { return files.answer("", request) }
        return OSCQueryService(hub: hub).answer(request.path, query: request.query) { hostInfo(wsi) }
    }

    /// Writes a whole response at once, what the socket does not take is kept by the library, and ends the connection.
    func finish(_ wsi: OpaquePointer, _ response: Response, isHead: Bool = false) -> Int32 {
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
        if let refusal = refusal(wsi, request) { return finish(wsi, refusal, isHead: request.method == .head) }
        // An upgrade to HTTP/2 is an offer that may be passed over, and in this library (4.1) its first stream
        // never gets a window. Some clients make it with every request.
        if let wanted = request.header(WSI_TOKEN_UPGRADE)?.lowercased(), wanted != "websocket" {
            guard request.method != .post else { return finish(wsi, .text(405, "only GET and HEAD")) }
            return finish(wsi, response(wsi, request), isHead: request.method == .head)
        }
        let (origin, host) = (request.header(WSI_TOKEN_ORIGIN), request.header(WSI_TOKEN_HOST))
        if !Origin.isAllowed(origin: origin, host: host, isSecure: isSecure(wsi)) {
            gate.noteOrigin(origin ?? "", host: host)
            return finish(wsi, .text(403, "this WebSocket is for pages that come from this server"))
        }
        if let listener = audioListener(request.path), streams[listener] == nil {
            return finish(wsi, .text(404, "there is no sound at \(request.path)"))
        }
        return 0
    }

    private func open(_ wsi: OpaquePointer) -> Int32 {
        let wake = { _ = lws_callback_on_writable(wsi) }
        guard let visitor = visitor(wsi, Request(wsi)) else { return -1 }
        let client: any SocketClient
        if let name = lws_get_protocol(wsi)?.pointee.name, String(cString: name) == TelemetryService.protocolName {
            client = TelemetryClient(telemetry, wake: wake) { SocketConnection.of(wsi)?.send($0) ?? false }
        } else if let listener = audioListener(Request(wsi).path) {
            guard let stream = streams[listener] else { return -1 }
            client = AudioClient(stream, wake: wake)
        } else {
            client = QueryClient(hub: hub, role: visitor.role, hold: hold, wake: wake)
        }
        let connection = SocketConnection(
            wsi, client, id: takeClientNumber(), device: visitor.device, rate: options.limits.messages)
        (client as? TelemetryClient)?.take(connection)
        connections[wsi] = connection
        return 0
    }

    /// N of `/audio/N`; 0, whom nobody is, for anything else below `/audio`.
    private func audioListener(_ path: String) -> Int? {
        guard path == "/audio" || path.hasPrefix("/audio/") else { return nil }
        return Int(path.dropFirst("/audio/".count)) ?? 0
    }
}
