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
