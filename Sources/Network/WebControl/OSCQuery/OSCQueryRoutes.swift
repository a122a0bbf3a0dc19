public import Hub
internal import OSCControl
internal import Trust

/// The namespace in OSCQuery's form, over HTTP and WebSockets, at every path that no other route has.
public final class OSCQueryRoutes: WebFeature {
    /// Keeps one OSC message of a client until its time, CLOCK_MONOTONIC nanoseconds; without it all messages are applied at once.
    public var hold: ((_ message: [UInt8], _ due: UInt64, _ client: NetworkAddress?) -> Void)?

    private let hub: Hub
    private let service: OSCQueryService
    private let address: ServerAddress
    private let streams: AudioStreams
    private let values: VisitorValues

    /// - Parameters:
    ///   - address: for HOST_INFO.
    ///   - streams: determine which listener is a client's own.
    ///   - values: for those who may not control.
    init(hub: Hub, _ service: OSCQueryService, address: ServerAddress, streams: AudioStreams, values: VisitorValues) {
        (self.hub, self.service, self.address, self.streams, self.values) = (hub, service, address, streams, values)
    }

    var routes: [Route] {
        [
            .get("/{path}", .view, "A node of the namespace, or with `?NAME` one of its attributes.") { [unowned self] exchange in
                service.answer(exchange.request.path, query: exchange.request.query, mayControl: exchange.mayControl) {
                    address.hostInfo(exchange.connection)
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
