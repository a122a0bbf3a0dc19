internal import CRealtime
public import Hub
public import Threads
internal import Trust

/// The HTTP port of the control thread: its loop and timers, access, the panel, and the routes of features.
///
/// Used on the thread that runs the loop; other threads hold ``EventLoop/handle``.
public final class WebServer {
    public let loop: EventLoop
    public let connections: ConnectionTable
    public let pairing: PairingService
    /// The bound port: the requested one, or a free one.
    public let port: Int
    package let hub: Hub
    package let address: ServerAddress
    package let deadlines: RequestDeadlines
    /// The files of the panel.
    package let panel: StaticFiles
    private let access: AccessControl
    private let clients: PairedClientService
    private let http: HTTPService
    private let sockets: SocketService
    private var features: [any WebFeature]

    /// Binds the port; requests are served from ``run()`` on.
    ///
    /// - Throws: ``WebServerError``.
    public init(_ options: Options, hub: Hub) throws(WebServerError) {
        self.hub = hub
        loop = try EventLoop(options, hub: hub)
        address = ServerAddress(options)
        access = AccessControl(
            names: HostNames(bound: options.host, allowed: options.access.allowedHosts), tokens: options.access.tokens,
            clients: options.access.pairedClients
        ) { [unowned hub] in hub.log($0) }
        connections = ConnectionTable(hub: hub, rate: options.limits.messages)
        clients = PairedClientService(
            hub: hub, clients: access.clients, connections: connections, admission: options.access.admission)
        panel = StaticFiles(options.panel)
        pairing = PairingService(
            hub: hub, access: access, address: address, clients: clients, hasAuthority: options.access.certificate?.authority != nil)
        features = [
            TrustPages(options.access.certificate, address: address, pages: panel), LoginService(access: access, address: address),
            pairing, clients, PanelPages(files: panel),
        ]
        let policy = RequestPolicy(access: access, address: address, clients: clients)
        deadlines = RequestDeadlines(requestSeconds: options.limits.requestSeconds)
        http = HTTPService(
            policy: policy, panel: panel, visitors: VisitorAnswers(options.folders), bodies: JSONBodies(hub, options.folders),
            files: FileDesk(deadlines: deadlines, wake: { [handle = loop.handle] in handle.wake() }, onOpen: options.onFile),
            deadlines: deadlines)
        sockets = SocketService(policy: policy, http: http, connections: connections)
        let forwarded = ForwardedNames(proxies: options.access.proxies)
        port = try loop.open(
            options,
            ServerEvents(
                loop: loop, addresses: ConnectionLimits(options.limits, access: access, forwarded: forwarded), forwarded: forwarded,
                http: http, sockets: sockets, connections: connections))
        address.port = port
        connections.names = { [unowned clients] in clients.names }
        serve([])
        loop.settle = { [unowned self] in
            for feature in features { feature.settle() }
            http.settle()
        }
        loop.every(1000) { [unowned self] in
            connections.check()
            for feature in features { feature.check(now: rt_now()) }
            deadlines.check(now: rt_now())
        }
    }

    /// Serves the endpoints of these features as well.
    package func serve(_ features: [any WebFeature]) {
        self.features += features
        let routes = RouteTable(self.features.flatMap(\.routes))
        (http.routes, sockets.routes) = (routes, routes)
    }

    /// All endpoints.
    package var routes: RouteTable { http.routes }

    /// Wakes the loop, which then calls ``WebFeature/settle()``; for other threads.
    package var wake: @Sendable () -> Void { { [handle = loop.handle] in handle.wake() } }

    /// Names of the paired clients by id.
    package var pairedNames: [String: String] { clients.names }

    /// The key that addresses of streams carry, which grants no other access; nil when none is needed.
    package var streamKey: String? { access.streamKey }

    /// Serves until ``LoopHandle/stop()``; afterwards the port and every connection are closed.
    /// - Throws: ``WebServerError`` when there were too few descriptors for the timers of the start.
    public func run() throws(WebServerError) {
        guard !loop.lacksTimers else { throw .descriptors }
        withExtendedLifetime(self) { loop.run() }
    }

    deinit { loop.close() }
}

/// Reason why the web server cannot start, and the remedy.
public enum WebServerError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: Int)
    case portNotAllowed(host: String, port: Int)
    case noSuchAddress(host: String)
    case thread(ThreadError)
    case descriptors
    case other(host: String, port: Int, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "TCP port \(port) of \(host) is already in use; choose another one with --http-port, or 0 for any free port"
        case .portNotAllowed(let host, let port):
            "TCP port \(port) of \(host) is reserved for the administrator; choose a port of 1024 or higher with --http-port"
        case .noSuchAddress(let host): "this machine has no address \(host) to bind; choose another one with --bind"
        case .thread(let error): "\(error)"
        case .descriptors:
            "the program may open too few files to run; raise the limit (ulimit -n, or LimitNOFILE of its service) to 64 or more"
        case .other(let host, let port, let reason): "TCP port \(port) of \(host) cannot be opened: \(reason)"
        }
    }
}
