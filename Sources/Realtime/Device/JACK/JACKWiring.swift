internal import Synchronization

/// The connections of JACK clients as they were last, for clients that are opened again.
public final class JACKWiring: Sendable {
    /// By the name that was asked for: the server adds a number to one that is taken.
    private let clients = Mutex<[String: JACKConnections]>([:])

    public init() {}

    /// Last known connections of a client; none before it was first opened.
    func connections(of client: String) -> JACKConnections { clients.withLock { $0[client] ?? JACKConnections() } }

    /// Remembers the connections of a client.
    func keep(_ connections: JACKConnections, of client: String) { clients.withLock { $0[client] = connections } }
}
