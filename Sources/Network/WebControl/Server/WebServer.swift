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
    public let sockets: SocketService
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
        let uploads = UploadService(hub: hub, options.library.accepted, room: room, policy: policy, deadlines: deadlines, wake: wake)
        let resumable = ResumableUploads(hub: hub, options.library.accepted, room: room, policy: policy, deadlines: deadlines, wake: wake)
        let hls = HLSStreams(options.hls, hub: hub, audio: streams, wake: wake)
        let hlsService = HLSService(hls, policy: policy, deadlines: deadlines, address: address)
        let values = VisitorValues(hub, options.folders)
        let query = OSCQueryService(hub: hub, pages: files, values: values)
        let http = HTTPService(
            policy: policy,
            router: HTTPRouter(
                files: files, query: query, address: address, policy: policy,
                trust: TrustPages(options.access.certificate, address: address, pages: files), clients: clients, metrics: metrics,
                uploads: uploads, results: options.results, participants: participants, listeners: options.listenerTable,
                takes: TakeFiles(options.takes, policy: policy),
                library: LibraryFiles(options.library, policy: policy),
                packages: PackageFiles(options.packages), overview: options.overview,
                video: VideoFile(options.video), cameras: cameras, health: health,
                visitors: VisitorAnswers(options.folders)),
            posts: PostService(
                hub: hub, policy: policy, logins: LoginService(access: access, address: address), pairing: pairing,
                clients: clients, folders: options.folders),
            uploads: uploads, resumable: resumable, streams: hlsService,
            files: FileDesk(deadlines: deadlines, wake: wake, onOpen: options.onFile), deadlines: deadlines)
        loop.settle = { [streams] in
            uploads.settle()
            resumable.settle()
            http.settle()
            streams.settle()
            hls.settle()
        }
        sockets = SocketService(
            hub: hub, policy: policy, http: http, connections: connections, streams: streams, telemetry: telemetry,
            participants: participants, cameras: cameras, values: values)
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
        if options.hls.listeners > 0 { metrics.hls = { hlsService.figures } }
        loop.every(Self.warming) { query.warm() }
        loop.every(1000) { [connections] in connections.check() }
        loop.every(1000) {
            uploads.check()
            resumable.check()
            hls.check(now: rt_now())
            hlsService.check(now: rt_now())
            deadlines.check(now: rt_now())
        }
        if access.clients != nil { loop.every(1000) { clients.refresh() } }
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
