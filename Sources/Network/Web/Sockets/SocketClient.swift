/// The protocol of a WebSocket, above its frames. Used on the loop only.
package protocol SocketClient: AnyObject {
    /// Kind of client, in one word.
    var kind: String { get }
    /// Frames that were left out because the client was slow.
    var dropped: Int { get }
    /// Size of the kernel's send buffer in bytes; the kernel doubles it for its own bookkeeping. Frames that wait there are
    /// stale by the time they are read; frames that wait in the client are replaced by newer ones.
    var sendBuffer: Int32 { get }
    /// True when ``nextFrame()`` has a frame.
    var hasMore: Bool { get }
    /// Removes and returns the next frame to write.
    func nextFrame() -> WireFrame?
    /// Handles a complete message.
    func receive(_ bytes: [UInt8], isText: Bool)
    /// Notes that a message was longer than the route permits, which ends the connection.
    func refuseLongMessage()
    /// Sends a remark about the connection, in words.
    func notify(_ text: String)
    /// Called when the connection is open. The connection holds the client, not the other way round.
    func open(_ connection: SocketConnection)
    /// Called when the connection is closed.
    func close()
}

extension SocketClient {
    package var sendBuffer: Int32 { 65_536 }
    package func refuseLongMessage() {}
    package func open(_ connection: SocketConnection) {}
}

/// Reason why this server ends a WebSocket; raw values are the statuses that the client receives (RFC 6455, 7.4.2: 4000 and
/// above are free).
package enum EndStatus: UInt32 {
    /// The paired client was revoked or has another role now; it has to log in again.
    case revoked = 4001
    /// An operator ended the connection.
    case kicked = 4002
    /// The first message has not arrived in time (RFC 6455: against the policy).
    case silent = 1008
    /// There is no listener for the client after all (RFC 6455: try again later).
    case full = 1013

    /// The reason in words, where the status does not express it.
    var reason: String { self == .silent ? "no hello within 5 s" : "" }
}
