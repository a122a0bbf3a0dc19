internal import CEventLoop
internal import CWebSockets
internal import Glibc
public import Hub
public import OSCControl
internal import Parameters
public import Trust

/// The HTTP port, and the loop of the control thread: panel, OSCQuery, WebSockets, timers.
///
/// Everything here runs on the thread that calls ``run()``; other threads hold its ``handle``.
public final class WebServer {
    public struct Options {
        /// Address to bind.
        public var host: String
        /// 0 takes any free one.
        public var port: Int
        /// The panel's files; nil serves none.
        public var panel: String?
        /// Where OSC is received, for OSCQuery's HOST_INFO.
        public var oscHost: String
        public var oscPort: Int

        /// Names this server may be asked for as, besides its own addresses.
        public var allowedHosts: [String] = []
        /// nil lets everybody in who can reach the port: for loopback only.
        public var tokens: AccessTokens?
        /// With a certificate everything but the trust page goes by TLS, on the same port.
        public var certificate: ServerCertificate?
        /// Where others reach this machine, for pairing codes; nil takes the address that was asked for.
        public var reachable: String?
        /// Whom a pairing code has let in; nil pairs nobody.
        public var devices: PairedDevices?
        /// Told from where paired devices come, so that they may send OSC.
        public var admission: OSCAdmission?
        public var limits = WebLimits()

        public init(host: String = "127.0.0.1", port: Int = 8080, panel: String?, oscHost: String, oscPort: Int) {
            self.host = host
            self.port = port
            self.panel = panel
            self.oscHost = oscHost
            self.oscPort = oscPort
        }
    }

    /// The port it is bound to: the one asked for, or the one found free.
    public private(set) var port = 0
    /// For other threads.
    public let handle = LoopHandle()
    /// Called on the loop after ``LoopHandle/wake()``.
    public var onWake: () -> Void = {}

    let hub: Hub
    let options: Options
    let files: StaticFiles
    let health: () -> Health
    var connections: [OpaquePointer: SocketConnection] = [:]
    var writers: [OpaquePointer: ResponseWriter] = [:]
    var streams: [Int: AudioStream] = [:]
    var uploads: [OpaquePointer: Upload] = [:]
    var counts: ConnectionCount
    let gate: Gatekeeper
    /// What is sent to those who ask for `vestibule.telemetry.v1`.
    public let telemetry: TelemetryService
    /// What the OSC port has counted, for `/metrics`.
    public var oscCounters: OSCCounters?
    var lastConnection = 0
    /// Clients that are no WebSockets, and how to end one; false when there is none of this number.
    public var otherClients: () -> [ClientReading] = { [] }
    public var kickOther: (Int) -> Bool = { _ in false }
    /// Keeps one OSC message until its time, CLOCK_MONOTONIC nanoseconds; nil where nobody can.
    public var hold: ((_ message: [UInt8], _ due: UInt64) -> Void)?
    /// As which paired devices have come since the start.
    var deviceRoles: [String: AccessRole] = [:]
    /// Paired devices that have come since their list was last written.
    var seen: Set<String> = []
    /// What was wrong with the list when it was last looked at.
    var deviceProblem: TrustError?
    /// Frames that were left out for clients that have gone, by kind.
    var droppedBefore: [String: Int] = [:]
    private var telemetryTimer: LoopTimer?
    private var timers: [LoopTimer] = []
    private var context: OpaquePointer?
    /// What the thread waits in: it costs what happens, where the library's own poll() costs what is connected.
    private let loop: OpaquePointer
    /// What libwebsockets goes on using: the protocols and an end mark, and their names.
    private let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: WebServer.protocolNames.count + 1)
    private let names = WebServer.protocolNames.map { strdup($0) }
    private var name: UnsafeMutablePointer<CChar>? { names[0] }

    /// The first is for clients that name none; the second for those that only want to bring a token along.
    static let protocolNames = ["vestibule", "vestibule.oscquery", TelemetryService.protocolName]

    /// How often the sound streams are looked after, in milliseconds.
    private static let streamInterval = 10

    /// Binds the port; nobody is served before ``run()``.
    ///
    /// - Parameter health: asked for `/health`, on the loop.
    /// - Throws: ``WebServerError``.
    public init(_ options: Options, hub: Hub, health: @escaping () -> Health) throws(WebServerError) {
        self.options = options
        self.hub = hub
        self.health = health
        files = StaticFiles(options.panel)
        counts = ConnectionCount(options.limits)
        gate = Gatekeeper(
            names: HostNames(bound: options.host, allowed: options.allowedHosts), tokens: options.tokens,
            devices: options.devices
        ) { [unowned hub] in hub.log($0) }
        telemetry = TelemetryService(hub: hub)
        protocols.initialize(repeating: lws_protocols(), count: names.count + 1)
        for (index, name) in names.enumerated() {
            protocols[index].name = UnsafePointer(name)
            protocols[index].callback = serveConnection
            protocols[index].rx_buffer_size = 65_536
        }
        try PortProbe.check(host: options.host, port: options.port)
        loop = try Self.makeLoop(options)
        LibraryLog.install()
        context = makeContext()
        guard let context, let host = lws_get_vhost_by_name(context, name) else {
            throw .other(
                host: options.host, port: options.port, reason: LibraryLog.take().joined(separator: "; "))
        }
        port = Int(lws_get_vhost_listen_port(host))
        handle.attach(context)
        telemetry.clients = { [unowned self] in clientReadings }
        every(1000) { [unowned self] in census() }
        if gate.devices != nil { every(1000) { [unowned self] in refreshDevices() } }
        hub.onPathChange = { [unowned self] in announce($0) }
        telemetryTimer = timer { [telemetry] in telemetry.tick() }
        telemetry.onDemand = { [unowned self] isWanted in runTelemetry(isWanted) }
    }

    private func runTelemetry(_ isWanted: Bool) {
        if isWanted { telemetryTimer?.arm(after: Int(TelemetryService.patience)) } else { telemetryTimer?.disarm() }
    }

    private func timer(_ body: @escaping () -> Int?) -> LoopTimer? {
        guard let context, let name, let host = lws_get_vhost_by_name(context, name) else { return nil }
        return LoopTimer(host, protocol: name, body)
    }

    deinit {
        hub.onPathChange = nil
        destroy()
        ev_loop_destroy(loop)
        protocols.deallocate()
        for name in names { free(name) }
    }

    private static func makeLoop(_ options: Options) throws(WebServerError) -> OpaquePointer {
        if let loop = ev_loop_new(UInt32(EVFLAG_NOENV)) { return loop }
        throw .other(host: options.host, port: options.port, reason: String(cString: strerror(errno)))
    }

    private func makeContext() -> OpaquePointer? {
        var info = lws_context_creation_info()
        info.options = UInt64(LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND) | UInt64(LWS_SERVER_OPTION_LIBEV)
        info.port = Int32(options.port)
        info.protocols = UnsafePointer(protocols)
        info.vhost_name = UnsafePointer(name)
        info.user = Unmanaged.passUnretained(self).toOpaque()
        info.timeout_secs = UInt32(options.limits.requestSeconds)
        info.timeout_secs_ah_idle = UInt32(options.limits.requestSeconds)
        info.max_http_header_data = UInt16(clamping: options.limits.headerBytes)
        if !options.host.contains(":") { info.options |= UInt64(LWS_SERVER_OPTION_DISABLE_IPV6) }
        var loops: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(loop)]
        return withCertificate(&info) { info in
            options.host.withCString { host in
                // Without an interface libwebsockets binds every address.
                info.iface = options.host == "0.0.0.0" || options.host == "::" ? nil : host
                return loops.withUnsafeMutableBufferPointer { loops in
                    info.foreign_loops = loops.baseAddress
                    return lws_create_context(&info)
                }
            }
        }
    }

    // MARK: The loop

    /// Calls `body` on the loop every so many milliseconds, for as long as the server lives.
    public func every(_ milliseconds: Int, _ body: @escaping () -> Void) {
        guard
            let timer = timer({
                body()
                return milliseconds * 1000
            })
        else { return hub.notice("the process has no file descriptor left for a timer; is its limit (ulimit -n) very low?") }
        timer.arm(after: milliseconds * 1000)
        timers.append(timer)
    }

    /// Serves until ``LoopHandle/stop()``; afterwards the port is closed and every connection with it.
    public func run() {
        while !handle.isStopped, context != nil {
            ev_run(loop, Int32(EVRUN_ONCE))
            reportErrors()
        }
        destroy()
        reportErrors()
    }

    private func destroy() {
        handle.attach(nil)
        for timer in timers { timer.cancel() }
        timers = []
        telemetryTimer?.cancel()
        telemetryTimer = nil
        guard let context else { return }
        self.context = nil
        lws_context_destroy(context)
    }

    private func reportErrors() {
        for line in LibraryLog.take() { hub.log("HTTP: \(line)") }
    }

    // MARK: For the wiring

    /// Offers what a listener hears at `/audio/N`.
    public func add(_ stream: AudioStream) {
        if streams.isEmpty {
            every(Self.streamInterval) { [unowned self] in for stream in streams.values { stream.pump() } }
        }
        streams[stream.listener] = stream
    }

    /// Tells every OSCQuery client that what the node at `path` describes is another now.
    public func announceChange(_ path: String) { announce(.changed(path)) }

    private func announce(_ change: PathChange) {
        for connection in connections.values { (connection.client as? QueryClient)?.announce(change) }
    }

    /// How many WebSockets are open.
    public var clients: Int { connections.count }

    /// A number that no other client of this run has.
    public func takeClientNumber() -> Int {
        lastConnection += 1
        return lastConnection
    }
}
