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

    /// - Parameters:
    ///   - streams: determine which listener is a client's own.
    ///   - values: for those who may not control.
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

    private func announce(_ change: PathChange) {
        for client in web.connections.clients { (client as? QueryClient)?.announce(change) }
    }

    package var routes: [Route] {
        [
            .get("/{path}", .view, "A node of the namespace, or with `?NAME` one of its attributes.") { [unowned self] exchange in
                service.answer(exchange.request.path, query: exchange.request.query, mayControl: exchange.mayControl) {
                    HostInfo(osc: web.address.osc(for: exchange.connection), http: web.address.http(for: exchange.connection))
                }
            },
            .socket("/{path}", .view, "OSCQuery, at every other path.") { [unowned self] exchange in
                QueryClient(
                    hub: hub, role: exchange.mayControl ? .control : .view, values: values,
                    address: NetworkAddress(host: exchange.connection.client), hold: hold, streams: streams, wake: exchange.wake)
            },
        ]
    }
}
