internal import CRealtime
public import Hub
internal import Parameters

/// The open WebSockets, and the list of all clients.
public final class ConnectionTable {
    /// Clients that are no WebSockets.
    public var otherClients: () -> [ClientReading] = { [] }
    /// Ends one of the other clients; false when none has this id.
    public var kickOther: (Int) -> Bool = { _ in false }
    /// Names of paired clients by id.
    var names: () -> [String: String] = { [:] }

    private let hub: Hub
    /// Messages per second that a client may send.
    private let rate: Int
    private var connections: [OpaquePointer: SocketConnection] = [:]
    private var lastId = 0
    /// Frames that were left out for clients that have disconnected, by kind.
    private var droppedBefore: [String: Int] = [:]

    init(hub: Hub, rate: Int) {
        self.hub = hub
        self.rate = rate
    }

    /// Number of open WebSockets.
    public var count: Int { connections.count }

    subscript(wsi: OpaquePointer) -> SocketConnection? { connections[wsi] }

    /// A number that no other client of this run has.
    public func nextId() -> Int {
        lastId += 1
        return lastId
    }

    func open(_ wsi: OpaquePointer, _ client: any SocketClient, pairedClient: String?, longestMessage: Int) {
        connections[wsi] = SocketConnection(
            wsi, client, id: nextId(), pairedClient: pairedClient, rate: rate, longestMessage: longestMessage)
    }

    func close(_ wsi: OpaquePointer) {
        SocketConnection.forget(wsi)
        guard let client = connections.removeValue(forKey: wsi)?.client else { return }
        droppedBefore[client.kind, default: 0] += client.dropped
        client.close()
    }

    /// The clients of all open WebSockets.
    package var clients: some Sequence<any SocketClient> { connections.values.lazy.map(\.client) }

    // MARK: Ending connections

    /// Ends a client's connection on an operator's request.
    /// - Parameter id: as in the clients topic.
    /// - Returns: false when no client has this id.
    public func kick(_ id: Int) -> Bool {
        guard let connection = connections.values.first(where: { $0.id == id }) else { return kickOther(id) }
        hub.notice("client \(id) (\(connection.client.kind), \(connection.address)) was disconnected on request")
        connection.end(.kicked)
        return true
    }

    func end(pairedClient id: String) {
        for connection in connections.values where connection.pairedClient == id { connection.end(.revoked) }
    }

    /// Once a second: ends connections that no longer answer, and publishes how many clients there are.
    ///
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func check(now: UInt64 = rt_now()) {
        for connection in connections.values { connection.check(now: now) }
        hub.publish(hub.tree.index(ClientParameter.connected), .number(Float(connections.count + otherClients().count)))
    }

    // MARK: Readings

    /// All clients, in the order in which they connected.
    package var readings: [ClientReading] {
        let names = names()
        let sockets = connections.values.map { $0.reading(name: $0.pairedClient.flatMap { names[$0] }) }
        return (sockets + otherClients()).sorted { $0.id < $1.id }
    }

    /// Number of open WebSockets of each paired client.
    var countsByPairedClient: [String: Int] {
        Dictionary(connections.values.compactMap { $0.pairedClient.map { ($0, 1) } }, uniquingKeysWith: +)
    }

    /// Number of open WebSockets of a kind, and of all frames since the start that were left out for clients of this kind.
    package func totals(_ kind: String) -> (open: Int, dropped: Int) {
        let clients = connections.values.lazy.map(\.client).filter { $0.kind == kind }
        return (clients.count, clients.reduce(droppedBefore[kind, default: 0]) { $0 + $1.dropped })
    }
}
