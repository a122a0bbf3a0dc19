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

    private unowned let web: WebServer
    private let hub: Hub
    private let service: OSCQueryService
    private let streams: AudioStreams
    private let values: VisitorValues
    /// Identifies this run of the program, whose counts of changes start anew.
    private let run = RandomName.make()
    /// Changes of the namespace that have been announced.
    private var changes = 0

    /// - Parameters:
    ///   - streams: determine which listener is a client's own.
    ///   - values: for clients that may not control.
    package init(on web: WebServer, streams: AudioStreams, values: VisitorValues) {
        (self.web, self.streams, self.values) = (web, streams, values)
        service = OSCQueryService(hub: web.hub, pages: web.panel, values: values)
        web.loop.every(Self.warming) { [service] in service.warm() }
        hub = web.hub
        hub.onPathChange = { [unowned self] in announce($0) }
    }

    deinit { hub.onPathChange = nil }

    /// Announces to every client that the attributes of the node at `path` have changed.
    public func announceChange(_ path: String) { announce(.changed(path)) }

    /// Differs after every change of the namespace, for clients that read it before they are told about changes.
    private var version: String { "\(run)-\(changes)" }

    private func announce(_ change: PathChange) {
        changes += 1
        for client in web.connections.clients { (client as? QueryClient)?.announce(change) }
    }

    package var routes: [Route] {
        [
            .get("/{path}", .view, "A node of the namespace, or with `?NAME` one of its attributes.") { [unowned self] exchange in
                var response = service.answer(exchange.request.path, query: exchange.request.query, mayControl: exchange.mayControl) {
                    HostInfo(osc: web.address.osc(for: exchange.connection), http: web.address.http(for: exchange.connection))
                }
                response.headers.append(("namespace-version:", version))
                return response
            },
            .socket("/{path}", .view, "OSCQuery, at every other path.") { [unowned self] exchange in
                let client = QueryClient(
                    hub: hub, role: exchange.mayControl ? .control : .view, values: values,
                    address: NetworkAddress(host: exchange.connection.client), hold: hold, streams: streams, wake: exchange.wake)
                // What it has read may have changed before it could be told.
                if let known = exchange.request.query("namespace"), known != version { client.announce(.changed("/")) }
                return client
            },
        ]
    }
}
