/// What one kind of WebSocket does with its frames. Used on the loop only.
protocol SocketClient: AnyObject {
    /// What kind of client this is, in one word.
    var kind: String { get }
    /// Frames that were left out because the client was slow.
    var dropped: Int { get }
    /// Bytes that the kernel is asked to keep at most; it doubles them, for its own book-keeping. What waits there is
    /// stale by the time it is read; what waits here is replaced by what is newer.
    var sendBuffer: Int32 { get }
    /// True when ``nextFrame()`` has something to give.
    var hasMore: Bool { get }
    /// The next frame to write, taken out of what waits.
    func nextFrame() -> WireFrame?
    /// A whole message of the client.
    func receive(_ bytes: [UInt8], isText: Bool)
    /// Something about the connection that the client should know, in words.
    func tell(_ text: String)
    /// The connection is gone.
    func close()
}

extension SocketClient {
    var sendBuffer: Int32 { 65_536 }
}
