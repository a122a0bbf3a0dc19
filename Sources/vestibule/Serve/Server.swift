import Announcement
import CRealtime
import Crossing
import Device
import Engine
import Foundation
import Hub
import Links
import Media
import OSCControl
import Packages
import Parameters
import Pose
import Render
import RenderInterface
import Session
import Trackers
import Trust
import WebControl

/// A running server: the engine, its sockets, and what joins them.
///
/// `ServeCommand.run()` calls the methods in the data's order. Used on the control thread only.
final class Server {
    let options: ServeCommand
    let log: ServerLog
    let specification: DeviceSpecification
    let engine: Engine
    let receiver: OSCReceiver
    let dispatcher: OSCDispatcher
    let trackers: TrackerManager
    let web: WebServer
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
    /// Messages of MIDI devices.
    let midi: MIDIQueue
    var midiInputs: MIDIInputs?
    /// Listeners whose streams' state is published, from 0.
    var heardStreams: Set<Int> = []
    private var announcer: Announcer?

    /// Opens the device and the sockets, without joining them yet.
    init(_ options: ServeCommand, _ log: ServerLog) throws {
        self.options = options
        if let path = options.readyFile { try ReadyFile.check(path, inputs: options.inputs) }
        self.log = log
        let (network, reports, recognised, watchdog) = (options.network, ReportQueue(), ReportQueue(), RenderWatchdog())
        (self.reports, self.recognised, self.watchdog) = (reports, recognised, watchdog)
        specification = try options.sound.specification()
        let engine = try Self.engine(options, specification, log) { reports.add($0) }
        self.engine = engine

        let queue = DatagramRing(capacity: 1 << 22)
        let inlets = zip(engine.lines.heads, engine.networkArrivals).map { head, arrivals in
            PoseInlet(head.poses.take(), horizon: head.horizon, arrivals: arrivals)
        }
        let admission = OSCAdmission(network.allowOsc)
        let receiver = try OSCReceiver(
            host: network.bind, port: network.oscPort, inlets: inlets, presence: engine.lines.heads.map(\.isPresent),
            queue: queue.producer, admission: admission,
            report: { reports.add($0) }, recognised: { recognised.add($0) })
        self.receiver = receiver
        trackers = TrackerManager(
            hub: engine.hub, receiver: receiver,
            linker: { source, output in try TrackerLinks.make(source, output) { reports.add($0) } })
        engine.listeners.onLeave = { [trackers] in trackers.release(listener: $0 + 1) }

        address = NetworkIdentity(bind: network.bind, allowed: network.allowHost)
        let certificate = try address.certificate(
            isWanted: network.tls, own: network.certificate.flatMap { path in network.key.map { (path, $0) } })
        access = try ServerAccess(bind: network.bind, file: network.tokenFile, certificate: certificate)
        let web = try WebServer(
            Self.webOptions(network, receiver, admission, access, certificate, engine, packages: options.sessions.packages),
            hub: engine.hub,
            health: { [telemetry = engine.telemetry, sound = engine.sound] in
                let state = telemetry.state
                return Health(isAlive: watchdog.isAlive, blocks: state.blocks, xruns: state.xruns, sound: .init(sound.report))
            })
        self.web = web
        let handle = web.loop.handle
        midi = MIDIQueue { handle.wake() }
        dispatcher = OSCDispatcher(
            queue: queue.consumer, hub: engine.hub, counters: receiver.counters, admission: admission, clocks: receiver.clocks,
            filter: receiver.filter, wake: { handle.wake() }, number: { web.connections.nextId() }, send: { receiver.send($0, to: $1) })
    }

    private static func engine(
        _ options: ServeCommand, _ specification: DeviceSpecification, _ log: ServerLog, report: @escaping @Sendable (String) -> Void
    ) throws -> Engine {
        let playback = options.playback
        let input = try playback.input.map(LiveInputSource.init)
        let outputs = try options.outputsOfListeners()
        let delays: OutputDelays
        do { delays = try OutputDelayFile().read() } catch {
            delays = OutputDelays()
            report("\(error)")
        }
        let array = try options.array.option()
        let recorded = array?.recorded(by: specification)
        let device = try open(specification, options, input: input?.device, array: recorded, outputs: outputs, delays: delays)
        let sessions = SessionFolder(folder: options.sessions.sessions ?? SessionFolder.standardFolder)
        let sounds = SoundLibrary(
            folder: options.objects.sounds ?? SoundLibrary.standardFolder,
            files: options.objects.object.map(\.path) + [playback.musicFile].compactMap(\.self))
        var choices = EngineOptions(
            deviceName: specification.description, protection: specification.protection,
            cues: try CueLibrary(folder: playback.cues, rate: device.format.rate),
            files: clientFiles(options, sessions: sessions.folder, sounds: sounds.folder), matches: OSCAddressPattern.matches)
        choices.exchange = try exchange(
            specification, options, format: device.format, input: input?.device,
            array: recorded.map { try DeviceArray(client: $0.client, channels: ArrayChannels(device.arrayChannels)) }, outputs: outputs,
            delays: delays)
        choices.array = array
        choices.listeners = playback.listeners
        choices.outputs = outputs
        choices.networkListeners = playback.networkListeners
        choices.workers = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        // Leaves room for a phone, and for trackers that are recognised or attached from the panel.
        choices.trackers = min(max(4, options.trackers.tracker.count + 2), OSCReceiver.mostTrackers)
        choices.objects = options.objects.objects
        choices.input = input
        choices.presets = PresetFolder(folder: DataFolder.presets(playback.presets))
        choices.sessions = sessions
        choices.sounds = sounds
        let engine = try Engine(choices, device: device, report: report)
        engine.hub.log = { [unowned hub = engine.hub] in log.write($0, from: hub.source) }
        return engine
    }

    /// The files that clients may name: those of the command line among them.
    private static func clientFiles(_ options: ServeCommand, sessions: String, sounds: String) -> ClientFiles {
        var own: [ClientFiles.Kind: String] = [.sessions: sessions, .sounds: sounds]
        if let takes = options.sessions.takes { own[.takes] = takes }
        let files = ClientFiles(own: own, allowed: options.sessions.allowPath)
        options.objects.object.forEach { files.grant($0.path) }
        return files
    }

    /// Opens the device, and the file of a file device, so that a file that may not be written is refused at once.
    private static func open(
        _ specification: DeviceSpecification, _ options: ServeCommand, input: DeviceInput?, array: DeviceArray?, outputs: OutputRoutes,
        delays: OutputDelays
    ) throws -> any AudioDevice {
        let channels = options.sound.channels
        guard case .file(let path) = specification else {
            return try specification.open(
                options.sound.format(), input: input, array: array, outputs: outputs, channels: channels, delays: delays)
        }
        let output = try options.outputs.open(path, inputs: options.inputs)
        return try specification.open(options.sound.format(), input: input, outputs: outputs) { _, channels, rate in
            try SoundWriter(output, channels: channels, rate: rate)
        }
    }

    /// Other devices in the place of one that plays live.
    private static func exchange(
        _ specification: DeviceSpecification, _ options: ServeCommand, format: DeviceFormat, input: DeviceInput?, array: DeviceArray?,
        outputs: OutputRoutes, delays: OutputDelays
    ) throws -> DeviceExchange? {
        if case .file = specification { return nil }
        let wanted = try DeviceFormat(rate: format.rate, period: format.period, periods: options.sound.periods)
        let channels = options.sound.channels
        return DeviceExchange(device: specification) { device throws(DeviceError) in
            try device.open(
                wanted, input: input, array: array, outputs: outputs, channels: channels, isFixed: true, delays: delays)
        }
    }

    private static func webOptions(
        _ network: NetworkOptions, _ receiver: OSCReceiver, _ admission: OSCAdmission, _ access: ServerAccess,
        _ certificate: ServerCertificate?, _ engine: Engine, packages: String?
    ) throws -> WebServer.Options {
        var options = WebServer.Options(
            host: network.bind, port: Int(network.httpPort), panel: DataFolder.panel(network.web), oscHost: network.bind,
            oscPort: Int(receiver.port))
        options.certificate = certificate
        options.results = engine.files.clients.folder(.results)
        options.accepted = engine.files.clients.accepted
        options.takes = engine.files.clients.folder(.takes)
        options.listenerTable = { [unowned engine] in engine.listenerTable(from: $0, count: $1, search: $2) }
        options.takeList = { [takes = engine.takes] in takes.list }
        if let folder = packages {
            let shelf = PackageShelf(folder: folder)
            (options.packages, options.packageList) = (folder, { shelf.list })
        }
        options.overview = { [overview = engine.overview] in overview.bytes }
        options.reachable = access.host
        options.admission = admission
        if access.tokens != nil { options.pairedClients = try PairedClients(path: PairingCommand.standardFile) }
        options.allowedHosts = network.allowHost + (certificate == nil ? [] : MachineNames.names)
        options.tokens = access.tokens
        return options
    }

    // MARK: Start

    /// Attaches the trackers of the command line.
    func attachTrackers() throws {
        attached = try options.trackers.tracker.map { text in
            let (source, listener) = try TrackerOption.splitListener(text, listeners: options.playback.listeners, option: "--tracker")
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

    /// Starts the thread that receives OSC and tracker packets.
    func startReceiving() {
        let handle = web.loop.handle
        receiver.start { handle.wake() }
        reports.onReport { handle.wake() }
        recognised.onReport { handle.wake() }
    }

    /// Ticks the engine and the trackers thirty times a second.
    func startTicking() {
        web.loop.every(33) { [unowned self] in
            engine.tick()
            web.loop.publishTurns()
            trackers.tick(now: rt_now())
            watchdog.note(engine.telemetry.state.blocks, now: rt_now())
            dispatcher.tick(now: rt_now())
        }
    }

    /// Announces the server by mDNS, if others can reach it.
    func announce() {
        guard let name = address.announcement(options.network.announce) else { return }
        let reports = reports
        announcer = Announcer(
            name: name,
            services: [
                AnnouncedService(type: "_oscjson._tcp", port: web.port, text: access.isSecure ? ["txtvers=1", "tls=1"] : ["txtvers=1"]),
                AnnouncedService(type: "_osc._udp", port: Int(receiver.port), text: ["txtvers=1", "version=1.1"]),
            ], report: { reports.add($0) })
    }

    /// Serves until SIGINT, SIGTERM, or the end of a file device.
    func run() {
        let handle = web.loop.handle
        Signals.onEnd { handle.stop() }
        web.run()
    }

    /// Stops everything, senders first.
    func stop() {
        announcer?.stop()
        midiInputs?.stop()
        trackers.stop()
        receiver.stop()
        engine.sessions.recovery.end()
        engine.stop()
    }
}
