internal import CFrameMask
internal import CWebSockets

/// Hands each event of libwebsockets to the part of the server that deals with it.
final class ServerEvents {
    private let loop: EventLoop
    let addresses: ConnectionLimits
    let forwarded: ForwardedNames
    private let http: HTTPService
    private let sockets: SocketService
    private let connections: ConnectionTable
    /// Descriptors of the connections whose bytes CFrameMask follows.
    private var descriptors: [OpaquePointer: Int32] = [:]

    init(
        loop: EventLoop, addresses: ConnectionLimits, forwarded: ForwardedNames, http: HTTPService, sockets: SocketService,
        connections: ConnectionTable
    ) {
        self.loop = loop
        self.addresses = addresses
        self.forwarded = forwarded
        self.http = http
        self.sockets = sockets
        self.connections = connections
    }

    /// The object that gets the events of a connection.
    static func of(_ wsi: OpaquePointer) -> ServerEvents? {
        guard let context = lws_get_context(wsi), let owner = lws_context_user(context) else { return nil }
        return Unmanaged<ServerEvents>.fromOpaque(owner).takeUnretainedValue()
    }

    /// - Returns: 0 to continue, -1 to close the connection, 1 for an upgrade that got another answer; nil for events that
    ///   the library handles by itself.
    fileprivate func handle(
        _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ data: UnsafeRawBufferPointer
    ) -> Int32? {
        switch reason {
        case LWS_CALLBACK_SERVER_WRITEABLE: return SocketConnection.of(wsi)?.write() == false ? -1 : 0
        case LWS_CALLBACK_RECEIVE: return connections[wsi]?.receive(data) == false ? -1 : 0
        case LWS_CALLBACK_RECEIVE_PONG: connections[wsi]?.receivePong(data)
        case LWS_CALLBACK_RAW_RX_FILE: LoopTimer.of(wsi)?.fire()
        // The library reports one wake to every protocol. Serving each would make a turn as many times as long.
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED: if lws_get_protocol(wsi)?.pointee.id == 0 { loop.serveWake() }

        case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
            addresses.add(wsi)
            descriptors[wsi] = lws_get_socket_fd(wsi)
            http.deadlines.awaitRequest(Connection(wsi: wsi))
        case LWS_CALLBACK_WSI_DESTROY:
            addresses.remove(wsi)
            if let descriptor = descriptors.removeValue(forKey: wsi) { frame_mask_end(descriptor) }
            forwarded.remove(wsi)
            http.deadlines.remove(Connection(wsi: wsi))

        case LWS_CALLBACK_HTTP:
            forwarded.note(wsi)
            return http.respond(Connection(wsi: wsi))
        case LWS_CALLBACK_HTTP_WRITEABLE: return http.writeMore(Connection(wsi: wsi))
        // The library's default would end the transaction when another request has a body.
        case LWS_CALLBACK_HTTP_BODY: return http.receiveBody(Connection(wsi: wsi), data)
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return http.finishBody(Connection(wsi: wsi))
        case LWS_CALLBACK_CLOSED_HTTP: http.close(Connection(wsi: wsi))

        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
            forwarded.note(wsi)
            return sockets.confirmUpgrade(Connection(wsi: wsi))
        case LWS_CALLBACK_ESTABLISHED:
            http.deadlines.remove(Connection(wsi: wsi))
            return sockets.open(Connection(wsi: wsi))
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            guard let status = CloseFrame.refusal(data) else { break }
            lws_close_reason(wsi, status, nil, 0)
            return -1
        case LWS_CALLBACK_CLOSED: connections.close(wsi)
        default: return nil
        }
        return 0
    }
}

/// The callback of libwebsockets.
func serverEventOccurred(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ data: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let wsi, let events = ServerEvents.of(wsi) else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : length)
    return events.handle(wsi, reason, bytes) ?? lws_callback_http_dummy(wsi, reason, nil, data, length)
}
