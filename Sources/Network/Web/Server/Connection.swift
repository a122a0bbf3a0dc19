internal import CWebSockets

/// A client's connection: valid until ``LaterAnswers/remove(_:)`` or the end of its WebSocket.
package struct Connection: Hashable {
    let wsi: OpaquePointer

    /// Address of the client, behind trusted proxies as well.
    package var client: String { PeerName.of(wsi) }
    /// Whether it uses TLS.
    package var isSecure: Bool { lws_is_ssl(wsi) != 0 }

    /// Its WebSocket; nil before it is open.
    package var socket: SocketConnection? { SocketConnection.of(wsi) }

    /// Asks to be written to when the socket has room: see ``LaterAnswers/take(_:)`` and ``SocketClient/nextFrame()``.
    package func requestWriting() { lws_callback_on_writable(wsi) }

    /// Reads nothing more from the client. The library would be woken forever by bytes that it may not read, or by the end of the
    /// connection.
    package func pauseReading() { lws_rx_flow_control(wsi, 0) }
    package func resumeReading() { lws_rx_flow_control(wsi, 1) }

    /// Ends the library's limit on the time between two pieces of a body; that of ``RequestDeadlines`` remains.
    package func endPieceTimeout() { lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0) }

    /// Closes the connection after the present turn.
    package func close() { lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, lws_kill_async) }
}
