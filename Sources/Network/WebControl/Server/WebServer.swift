internal import CRealtime
public import Hub
internal import Threads
internal import Trust

/// The HTTP port of the control thread: panel, OSCQuery, WebSockets and timers on one loop.
///
/// Joins the parts, each of which has one job. All of them are used on the thread that runs the loop; other threads hold
/// ``EventLoop/handle``.
public final class WebServer {
    /// Milliseconds between two parts of the namespace that are prepared for requests.
    private static let warming = 20

    public let loop: EventLoop
    public let query: OSCQueryRoutes
    public let connections: ConnectionTable
    public let streams: AudioStreams
    public let telemetry: TelemetryService
    public let pairing: PairingService
    /// Pages of listening tests' participants.
    public let participants = ParticipantService()
    public let cameras: CameraService
    public let metrics: Metrics
    /// The bound port: the requested one, or a free one.
    public let port: Int
    /// All endpoints.
    let routes: RouteTable
    private let hub: Hub

    /// Binds the port; requests are served from ``run()`` on.
    ///
    /// - Parameter health: called for `/health`, on the loop.
    /// - Throws: ``WebServerError``.
    public init(_ options: Options, hub: Hub, health: @escaping () -> Health) throws(WebServerError) {
        self.hub = hub
        loop = try EventLoop(options, hub: hub)
        let address = ServerAddress(options)
        let access = AccessControl(
            names: HostNames(bound: options.host, allowed: options.access.allowedHosts), tokens: options.access.tokens,
            clients: options.access.pairedClients
        ) { [unowned hub] in hub.log($0) }
        connections = ConnectionTable(hub: hub, rate: options.limits.messages)
        let clients = PairedClientService(
            hub: hub, clients: access.clients, connections: connections, admission: options.access.admission)
        let policy = RequestPolicy(
            access: access, address: address, clients: clients, sharing: HLSSharing(origins: options.hls.origins))
        let files = StaticFiles(options.panel)
        do throws(ThreadError) { streams = try AudioStreams(on: loop) } catch { throw .thread(error) }
        cameras = CameraService(most: options.cameras.most, hears: options.cameras.hears) { [unowned loop] in loop.every($0, $1) }
        telemetry = TelemetryService(hub: hub)
        metrics = Metrics(hub: hub, telemetry: telemetry.sources, connections: connections)
        pairing = PairingService(
            hub: hub, access: access, address: address, clients: clients, hasAuthority: options.access.certificate?.authority != nil)
        let deadlines = RequestDeadlines(requestSeconds: options.limits.requestSeconds)
        let wake = { @Sendable [handle = loop.handle] in handle.wake() }
        let room = UploadRoom(options.library)
        let hls = HLSService(
            HLSStreams(options.hls, hub: hub, audio: streams, wake: wake), policy: policy, deadlines: deadlines, address: address)
        let values = VisitorValues(hub, options.folders)
        let namespace = OSCQueryService(hub: hub, pages: files, values: values)
        query = OSCQueryRoutes(hub: hub, namespace, address: address, streams: streams, values: values)
        let features: [any WebFeature] = [
            TrustPages(options.access.certificate, address: address, pages: files),
            LoginService(access: access, address: address), pairing, clients,
            MetricsRoutes(metrics: metrics, health: health),
            PanelPages(files: files), ListenPage(),
            ListenerTable(rows: options.listenerTable),
            RecordingFiles(overview: options.overview, video: options.video), PackageFiles(options.packages), TakeFiles(options.takes),
            LibraryFiles(options.library),
            UploadService(hub: hub, options.library.accepted, room: room, deadlines: deadlines, wake: wake),
            ResumableUploads(hub: hub, options.library.accepted, room: room, deadlines: deadlines, wake: wake),
            ParticipantRoutes(service: participants, results: options.results),
            AudioRoutes(streams: streams, hub: hub), hls, CameraRoutes(service: cameras, connections: connections),
            TelemetryRoutes(telemetry, values: values), query,
        ]
        routes = RouteTable(features.flatMap(\.routes))
        let http = HTTPService(
            routes, policy: policy, panel: files, visitors: VisitorAnswers(options.folders), bodies: JSONBodies(hub, options.folders),
            files: FileDesk(deadlines: deadlines, wake: wake, onOpen: options.onFile), deadlines: deadlines)
        loop.settle = {
            for feature in features { feature.settle() }
            http.settle()
        }
        let sockets = SocketService(routes, policy: policy, http: http, connections: connections)
        let forwarded = ForwardedNames(proxies: options.access.proxies)
        let events = ServerEvents(
            loop: loop, addresses: ConnectionLimits(options.limits, access: access, forwarded: forwarded), forwarded: forwarded,
            http: http, sockets: sockets, connections: connections)
        port = try loop.open(options, events)
        address.port = port
        metrics.refusedConnections = { [unowned loop] in loop.refusedConnections }

        connections.names = { clients.names }
        cameras.names = { clients.names }
        metrics.cameras = { [unowned cameras] in cameras.figures }
        if options.hls.listeners > 0 { metrics.hls = { hls.figures } }
        loop.every(Self.warming) { namespace.warm() }
        loop.every(1000) { [connections] in connections.check() }
        loop.every(1000) {
            for feature in features { feature.check(now: rt_now()) }
            deadlines.check(now: rt_now())
        }
        telemetry.sources.clients = { [unowned connections] in connections.readings }
        telemetry.start(on: loop)
        hub.onPathChange = { [unowned connections] in connections.announce($0) }
    }

    /// Serves until ``LoopHandle/stop()``; afterwards the port and every connection are closed.
    /// - Throws: ``WebServerError`` when there were too few descriptors for the timers of the start.
    public func run() throws(WebServerError) {
        guard !loop.lacksTimers else { throw .descriptors }
        withExtendedLifetime(self) { loop.run() }
    }

    deinit {
        hub.onPathChange = nil
        loop.close()
    }
}
