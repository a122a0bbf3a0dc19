internal import CRealtime
internal import Hub
internal import Parameters
internal import Trust

/// Who is connected, and how one is put out.
extension WebServer {
    var clientReadings: [ClientReading] {
        let names = Dictionary(uniqueKeysWithValues: (gate.devices?.all ?? []).map { ($0.id, $0.name) })
        let sockets = connections.values.map { $0.reading(device: $0.device.flatMap { names[$0] }) }
        return (sockets + otherClients()).sorted { $0.id < $1.id }
    }

    func census() {
        let now = rt_now()
        for connection in connections.values { connection.census(now: now) }
        hub.publish(hub.tree.slot(ClientParameter.connected), .number(Float(connections.count + otherClients().count)))
    }

    /// Ends a connection.
    /// - Parameter id: of the clients topic.
    /// - Returns: false when there is none of this number.
    public func kick(_ id: Int) -> Bool {
        guard let connection = connections.values.first(where: { $0.id == id }) else { return kickOther(id) }
        hub.notice("client \(id) (\(connection.client.kind), \(connection.address)) was put out by hand")
        connection.end(.kicked)
        return true
    }
}
