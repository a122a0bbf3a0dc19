/// How much one client may take of the server.
public struct WebLimits: Sendable {
    /// Connections of one address of the network.
    public var connections = 64
    /// Connections of this machine's own programs.
    public var localConnections = 4096
    /// Messages a second on one WebSocket, each kilobyte counting as another one; twice as many in a burst.
    public var messages = 5000
    /// Seconds in which a request has to be complete.
    public var requestSeconds = 10
    /// Bytes of a request's line and headers; 4096 is what libwebsockets takes.
    public var headerBytes = 4096

    public init() {}
}
