internal import Glibc
internal import Hub
internal import OSCControl
internal import Trust

/// Lists paired clients, changes and revokes them, and ends the connections of those that lost their access.
final class PairedClientService: WebFeature {
    private struct Client: Decodable { let id: String }

    private struct Promotion: Decodable {
        let id: String
        let role: AccessRole
    }

    /// The list as JSON.
    private struct List: Encodable {
        /// True when clients can be paired, and the sender of the request may do it.
        let possible: Bool
        let clients: [Entry]
        /// The same list, by its name until release 0.2.
        let devices: [Entry]
        /// Role of the sender of the request.
        let role: AccessRole?

        init(possible: Bool, clients: [Entry], role: AccessRole?) {
            (self.possible, self.clients, devices, self.role) = (possible, clients, clients, role)
        }
    }

    private struct Entry: Encodable {
        let id: String
        let name: String
        let role: AccessRole
        let paired: Int
        let seen: Int
        let connections: Int
        /// True for the client that sent the request.
        let own: Bool
    }

    /// The answer to every request that changes something when pairing is off.
    static var unneeded: Response {
        .text(
            404, "pairing is not needed: this server accepts connections from its own machine only; start it with --bind 0.0.0.0")
    }
    private static var unknown: Response { .text(404, "no paired client has this id") }

    private let hub: Hub
    private let clients: PairedClients?
    private let connections: ConnectionTable
    private let admission: OSCAdmission?
    /// Roles of the paired clients that made a request since the start.
    private var roles: [String: AccessRole] = [:]
    /// Paired clients that made a request since the list was last written.
    private var seen: Set<String> = []
    /// Error of the last check of the list, which is not reported again while it stays the same.
    private var problem: TrustError?

    /// - Parameters:
    ///   - clients: nil when pairing is off.
    ///   - admission: receives the addresses of clients that may control, so that they may send OSC.
    init(hub: Hub, clients: PairedClients?, connections: ConnectionTable, admission: OSCAdmission?) {
        self.hub = hub
        self.clients = clients
        self.connections = connections
        self.admission = admission
    }

    /// Names by id.
    var names: [String: String] { Dictionary(uniqueKeysWithValues: (clients?.all ?? []).map { ($0.id, $0.name) }) }

    var routes: [Route] {
        [
            .get("/pairing/clients", .view, "The paired clients.") { [unowned self] in list(for: $0.visitor) },
            .get("/pairing/devices", .view, "The same list, at its address until release 0.2.") { [unowned self] in list(for: $0.visitor) },
            .json("/pairing/revoke", .control, "Ends the access of a paired client.", form: "{\"id\":TEXT}") {
                [unowned self] (client: Client, _) in try revoke(client.id)
            },
            .json(
                "/pairing/role", .control, "Changes what a paired client may do.",
                form: "{\"id\":TEXT,\"role\":\"view\"} or {\"id\":TEXT,\"role\":\"control\"}"
            ) { [unowned self] (client: Promotion, _) in try setRole(client.id, client.role) },
        ]
    }

    private func list(for visitor: Visitor?) -> Response {
        guard let clients, visitor?.role == .control else { return .json(200, List(possible: false, clients: [], role: visitor?.role)) }
        let open = connections.countsByPairedClient
        let entries = clients.all.map { client in
            Entry(
                id: client.id, name: client.name, role: client.role, paired: client.paired, seen: client.seen,
                connections: open[client.id] ?? 0, own: client.id == visitor?.pairedClient)
        }
        return .json(200, List(possible: true, clients: entries, role: visitor?.role))
    }

    private func revoke(_ id: String) throws(TrustError) -> Response {
        guard let clients else { return Self.unneeded }
        guard let name = names[id], try clients.revoke(id) else { return Self.unknown }
        hub.notice("\(name) is no longer paired")
        endRevoked()
        return .empty(204)
    }

    private func setRole(_ id: String, _ role: AccessRole) throws(TrustError) -> Response {
        guard let clients else { return Self.unneeded }
        guard try clients.setRole(id, role) else { return Self.unknown }
        endRevoked()
        return .empty(204)
    }

    /// Remembers that a paired client made a request, and admits OSC from its address when it may control.
    func noteRequest(_ id: String, _ role: AccessRole, _ address: String) {
        roles[id] = role
        if role == .control, let address = NetworkAddress(host: address) { admission?.admit(address, client: id) }
        seen.insert(id)
    }

    /// Writes which clients were seen, and applies what other processes have changed in the list.
    func check(now _: UInt64) {
        guard let clients else { return }
        do {
            try clients.refresh()
            for id in seen.union(connections.countsByPairedClient.keys) { try clients.noteSeen(id, now: time(nil)) }
            problem = nil
        } catch {
            if problem != error { hub.notice("\(error)") }
            problem = error
        }
        seen = []
        endRevoked()
    }

    /// Ends the connections of clients that are no longer paired, or have another role now.
    private func endRevoked() {
        guard let clients else { return }
        let known = Dictionary(uniqueKeysWithValues: clients.all.map { ($0.id, $0.role) })
        for (id, role) in roles where known[id] != role {
            roles[id] = nil
            admission?.dismiss(client: id)
            connections.end(pairedClient: id)
        }
    }
}
