/// Limits on the share of the server that one client may use.
public struct WebLimits: Sendable {
    /// Connections per address of the network.
    public var connections = 64
    /// Connections of programs on this machine.
    public var localConnections = 4096
    /// Messages per second on one WebSocket, where every kilobyte counts as another message; a burst may have twice as many.
    public var messages = 5000
    /// Seconds within which a request has to be complete.
    public var requestSeconds = 10

    public init() {}
}
