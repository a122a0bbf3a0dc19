import Announcement
import ArgumentParser
import Broadcast
import CRealtime
import Crossing
import Device
import Engine
import Files
import Foundation
import Hub
import Links
import MQTT
import Media
import OSCControl
import Packages
import Parameters
import Pose
import Query
import Render
import RenderInterface
import Session
import Trackers
import Trust
import Web

/// A running server: the engine, its sockets, and the connections between them.
///
/// `ServeCommand.run()` calls the methods in the order of the data flow. Used on the control thread only.
final class Server {
    let options: ServeCommand
    let log: ServerLog
    let specification: DeviceSpecification
    let engine: Engine
    let receiver: OSCReceiver
    let dispatcher: OSCDispatcher
    let trackers: TrackerManager
    let web: WebServer
    let features: WebFeatures
    let access: ServerAccess
    let address: NetworkIdentity
    let watchdog: RenderWatchdog
    /// Errors and warnings of other threads.
    let reports: ReportQueue
    /// Names of tracker profiles whose packets were recognised.
    let recognised: ReportQueue
    /// Advice against dropouts, one line each.
    private(set) var hints: [String] = []
    private(set) var attached: [(number: Int, port: UInt16)] = []
    var midi: MIDIConnection
    var broker: BrokerConnection
    var icecast: IcecastOutput
    private var announcer: Announcer?
    /// Whether the first block has been rendered and the panel's address logged: before that, no client has to wait.
    var isReady = false

    /// Opens the device and the sockets, without connecting them yet.
    init(_ options: ServeCommand, _ log: ServerLog) throws {
        self.options = options
        if let path = options.readyFile { try ReadyFile.check(path, inputs: options.inputs) }
        self.log = log
        broker = BrokerConnection(settings: try options.mqtt.settings())
        icecast = IcecastOutput(settings: try options.icecast.settings())
        let (network, reports, recognised, watchdog) = (options.network, ReportQueue(), ReportQueue(), RenderWatchdog())
        (self.reports, self.recognised, self.watchdog) = (reports, recognised, watchdog)
        specification = try options.sound.specification()
        let engine = try Self.engine(options, specification, log) { reports.add($0) }
        self.engine = engine

        let queue = DatagramRing(capacity: 1 << 22)
        let admission = OSCAdmission(network.allowOsc)
        let receiver = try Self.receiver(network, engine, queue.producer, admission, reports: reports, recognised: recognised)
        self.receiver = receiver
        trackers = TrackerManager(
            hub: engine.hub, receiver: receiver,
            linker: { source, output in try TrackerLinks.make(source, output) { reports.add($0) } })

        address = NetworkIdentity(bind: network.bind, allowed: network.allowHost)
        let certificate = try address.certificate(
            isWanted: network.tls, own: network.certificate.flatMap { path in network.key.map { (path, $0) } },
            folder: UserFolder.state + "/tls")
        access = try ServerAccess(bind: network.bind, file: network.tokenFile, certificate: certificate)
        let web = try WebServer(
            Self.webOptions(
                network, receiver, admission, access, certificate, engine, packages: options.sessions.packages), hub: engine.hub)
        self.web = web
        features = try WebFeatures(
            on: web, engine, cameras: network.cameras, hls: options.streams.hlsSettings, packages: options.sessions.packages,
            health: { [telemetry = engine.telemetry, sound = engine.listeners.sound] in
                let state = telemetry.state
                return Health(isAlive: watchdog.isAlive, blocks: state.blocks, xruns: state.xruns, sound: .init(sound.report))
            })
        let handle = web.loop.handle
        midi = MIDIConnection(queue: MIDIQueue { handle.wake() })
        dispatcher = OSCDispatcher(
            queue: queue.consumer, hub: engine.hub, counters: receiver.counters, admission: admission, clocks: receiver.clocks,
            filter: receiver.filter, wake: { handle.wake() }, number: { web.connections.nextId() }, send: { receiver.send($0, to: $1) })
    }

    // MARK: Start

    /// Attaches the trackers of the command line.
    func attachTrackers() throws {
        attached = try options.trackers.tracker.map { text in
            let (source, listener) = try TrackerOption.splitListener(text, listeners: options.playback.deviceListeners, option: "--tracker")
            return try trackers.attach(source, listener: listener)
        }
    }

    /// Moves the renderer to the device; the server stops when the device has rendered everything.
    func startSound() throws {
        let (reports, handle) = (reports, web.loop.handle)
        hints = try engine.start { failure in
            if let failure { reports.add(failure.description) } else { handle.stop() }
        }
    }

    /// Ends the loop at SIGINT or SIGTERM, also before it runs.
    func awaitSignals() throws {
        let handle = web.loop.handle
        try Signals.onEnd { handle.stop() }
    }

    /// Starts the thread that receives OSC and tracker packets.
    func startReceiving() throws {
        let handle = web.loop.handle
        try receiver.start { handle.wake() }
    }

    /// Ticks the engine and the trackers thirty times a second.
    func startTicking() {
        web.loop.every(33) { [unowned self] in
            engine.tick()
            if isReady { web.loop.publishTurns() }
            trackers.tick(now: rt_now())
            watchdog.note(engine.telemetry.state.blocks, now: rt_now())
            dispatcher.tick(now: rt_now())
        }
    }

    /// Announces the server by mDNS, if others can reach it.
    func announce() throws {
        guard let name = address.announcement(options.network.announce) else { return }
        let reports = reports
        announcer = try Announcer(
            name: name,
            services: [
                AnnouncedService(type: "_oscjson._tcp", port: web.port, text: access.isSecure ? ["txtvers=1", "tls=1"] : ["txtvers=1"]),
                AnnouncedService(type: "_osc._udp", port: Int(receiver.port), text: ["txtvers=1", "version=1.1"]),
            ], report: { reports.add($0) })
    }

    /// Serves until SIGINT, SIGTERM, or the end of a file device.
    func run() throws { try web.run() }

    /// Stops everything, senders first.
    func stop() {
        announcer?.stop()
        midi.inputs?.stop()
        broker.bridge?.stop()
        icecast.source?.stop()
        trackers.stop()
        receiver.stop()
        engine.sessions.recovery.end()
        engine.stop()
    }
}

/// The state that the server starts with: a session, unsaved changes, and the command line's options.
extension Server {
    /// Loads the session of the command line.
    func loadSession() throws {
        guard let session = options.session else { return }
        try refusing { try engine.loadSession(session) }
    }

    /// Recovers unsaved changes, and saves new ones automatically.
    ///
    /// Does neither with a file device: a file is rendered the same whatever happened before, and leaves nothing else behind.
    func startAutosave() throws {
        let (sessions, recovery) = (options.sessions, engine.sessions.recovery)
        if case .file = specification { return }
        guard sessions.autosave > 0 else { return }
        recovery.start(recovers: sessions.recover) { [log] in log.write($0) }
        web.loop.every(Int(clamping: sessions.autosave * 1000)) { recovery.autosave() }
    }

    /// Applies the command line's options, which take precedence over the session.
    func applyOptions() throws {
        let state = try options.startState(specification, grant: { [engine] in engine.files.clients.grant($0) })
        try refusing { try engine.begin(state) }
    }

    /// - Throws: `ValidationError` instead of ``StartError``, since the command line has to be corrected.
    private func refusing(_ start: () throws -> Void) throws {
        do { try start() } catch let error as StartError { throw ValidationError(error.description) }
    }
}

extension Health.Sound {
    init(_ report: SoundReport) {
        self.init()
        plausible = report.isPlausible
        silentListeners = report.silentListeners
        resets = report.resets
        recentResets = report.recentResets
        recentSeconds = SoundReport.window
        nonFinite = report.nonFinite
        overloaded = report.isOverloaded
        latest = report.latest
    }
}
