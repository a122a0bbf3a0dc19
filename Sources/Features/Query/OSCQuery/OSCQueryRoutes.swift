internal import FileOutput
public import Hub
package import ListenerStreams
internal import OSCControl
internal import Trust
public import Web

/// The namespace in OSCQuery's form, over HTTP and WebSockets, at every path that no other route has.
public final class OSCQueryRoutes: WebFeature {
    /// Keeps one OSC message of a client until its time, CLOCK_MONOTONIC nanoseconds; without it all messages are applied at once.
    public var hold: ((_ message: [UInt8], _ due: UInt64, _ client: NetworkAddress?) -> Void)?

    /// Milliseconds between two parts of the namespace that are prepared for requests.
    private static let warming = 20

    /// Changes that are kept for clients that have read the namespace before their socket was open.
    private static let mostChanges = 256

    private let connections: ConnectionTable
    private let address: ServerAddress
    private let hub: Hub
    private let service: OSCQueryService
    private let streams: AudioStreams
    private let values: VisitorValues
    /// Identifies this run of the program, whose counts of changes start anew.
    private let run = RandomName.make()
    /// Number of changes of the namespace that have been announced, and the latest of them.
    private var (count, latest): (Int, [PathChange]) = (0, [])

    /// - Parameters:
    ///   - streams: determine which listener is a client's own.
    ///   - values: for clients that may not control.
    package init(on web: WebServer, streams: AudioStreams, values: VisitorValues) {
        (connections, address, self.streams, self.values) = (web.connections, web.address, streams, values)
        service = OSCQueryService(hub: web.hub, pages: web.panel, values: values)
        web.loop.every(Self.warming) { [service] in service.warm() }
        hub = web.hub
        hub.onPathChange = { [unowned self] in announce($0) }
    }

    deinit { hub.onPathChange = nil }

    /// Announces to every client that the attributes of the node at `path` have changed.
    public func announceChange(_ path: String) { announce(.changed(path)) }

    /// Differs after every change of the namespace, for clients that read it before their socket is open.
    private var version: String { "\(run)-\(count)" }

    private func announce(_ change: PathChange) {
        count += 1
        latest = latest.suffix(Self.mostChanges - 1) + [change]
        for client in connections.clients { (client as? QueryClient)?.announce(change) }
    }

    /// The changes since a version; that of the whole namespace when they are not known.
    private func changes(since version: String) -> [PathChange] {
        let parts = version.split(separator: "-")
        guard parts.count == 2, parts[0] == run, let known = Int(parts[1]), (0...count).contains(known), count - known <= latest.count
        else { return [.changed("/")] }
        return latest.suffix(count - known)
    }

    package var routes: [Route] {
        [
            node,
            .socket("/{path}", .view, "OSCQuery, at every other path.") { [unowned self] exchange in
                let client = QueryClient(
                    hub: hub, role: exchange.mayControl ? .control : .view, values: values,
                    address: NetworkAddress(host: exchange.connection.client), hold: hold, streams: streams, wake: exchange.wake)
                if let known = exchange.request.query("namespace") { for change in changes(since: known) { client.announce(change) } }
                return client
            },
        ]
    }

    private var node: Route {
        var route = Route.get("/{path}", .view, "A node of the namespace, or with `?NAME` one of its attributes.") {
            [unowned self] exchange in
            var response = service.answer(exchange.request.path, query: exchange.request.query, mayControl: exchange.mayControl) {
                HostInfo(osc: address.osc(for: exchange.connection), http: address.http(for: exchange.connection))
            }
            response.headers.append(("namespace-version:", version))
            return response
        }
        route.isAdapted = true
        return route
    }
}
