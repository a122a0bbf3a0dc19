import Announcement
import ArgumentParser
import Binaural
import CRealtime
import Crossing
import Device
import Foundation
import Hub
import Media
import OSCControl
import Parameters
import RackControl
import Render
import Session
import Trackers
import Tracking
import Trust
import WebControl

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Plays a recording for moving heads, and serves OSC, OSCQuery and the panel.")

    @ArgumentParser.Argument(help: "A session file to begin with.")
    var session: String?

    @Option(help: "A recording: a file of 4 to 64 channels, or a folder of mono files, one per microphone.")
    var recording: String?

    @Option(help: "How ears are interpolated: \(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")).")
    var method: String?

    @Option(help: "Predict heads: auto (to the moment the sound leaves), off, or milliseconds.")
    var prediction: PredictionOption?

    @Option(
        help: "The ears that the method personal leads to, of every listener: a SOFA file (default: the one that libmysofa brings along).")
    var hrtf: String?

    @Option(name: .customLong("head-radius"), help: "Of every listener's head, metres; 0 is that of the head in the SOFA file.")
    var headRadius: Float?

    @Option(
        name: .customLong("record-motion"),
        help: "A CSV file for the heads as they are rendered, from the start on; `vestibule render --motion` renders them again.")
    var recordMotion: String?

    @Option(help: "What plays: timer (no sound card), alsa:NAME, or file:PATH (once through, as fast as it goes).")
    var device = "timer"

    @Option(help: "What comes in live: alsa:NAME (with --device alsa:NAME), or a sound file that is played over and over.")
    var input: String?

    @Option(help: "Frames per second.")
    var rate = 48_000

    @Option(help: "Frames per block.")
    var period = 64

    @Option(help: "Blocks in a sound card's buffer.")
    var periods = 2

    @Option(help: "How many heads listen; the device plays the first one's ears.")
    var listeners = 1

    @Option(help: "How many sound objects there are room for.")
    var objects = 8

    @Option(
        help: "FILE@AZIMUTH[,ELEVATION[,DISTANCE]]: a sound file that is an object from the start; degrees, metres. Repeatable.",
        transform: ObjectOption.init)
    var object: [ObjectOption] = []

    @Option(help: "Folder of the sound files that clients may give objects by name (default: $XDG_DATA_HOME/vestibule/sounds).")
    var sounds: String?

    @Option(name: .customLong("osc-port"), help: "UDP port for OSC; 0 takes a free one.")
    var oscPort: UInt16 = 9000

    @Option(
        help:
            "PROFILE[:PORT][@LISTENER]: a head tracker on a UDP port of its own, or PROFILE[:DEVICE]; see `vestibule trackers`. Repeatable."
    )
    var tracker: [String] = []

    @Option(help: "PROFILE:HOST:PORT[@LISTENER]: sends that listener's pose on, as that tracker, when it changes. Repeatable.")
    var relay: [String] = []

    @Option(name: .customLong("http-port"), help: "TCP port for the panel, OSCQuery and WebSockets; 0 takes a free one.")
    var httpPort: UInt16 = 8080

    @Option(help: "Address to listen at; 0.0.0.0 is every address of this machine. Others than 127.0.0.1 ask for a token.")
    var bind = "127.0.0.1"

    @Option(
        name: .customLong("token-file"),
        help:
            "Where the tokens are kept, made if there is none (default: $XDG_STATE_HOME/vestibule/tokens). Asks for them at 127.0.0.1, too."
    )
    var tokenFile: String?

    @Option(name: .customLong("allow-host"), help: "A name or address that browsers may reach this server by. Repeatable.")
    var allowHost: [String] = []

    @Flag(
        help: "HTTPS and WSS, by an authority of this machine's own that devices trust once (/trust); plain HTTP is redirected.")
    var tls = false

    @Option(help: "A certificate of your own for --tls, as PEM with its chain; needs --key.")
    var certificate: String?

    @Option(help: "Its private key, as PEM without a passphrase.")
    var key: String?

    @Option(
        name: .customLong("allow-osc"),
        help: "An address besides this machine's own that may send OSC: 192.168.1.20, or a network, 192.168.1.0/24. Repeatable.",
        transform: { text in
            guard let entry = OSCAdmission.Entry(text) else {
                throw ValidationError("\(text) is neither a numeric address nor a network such as 192.168.1.0/24.")
            }
            return entry
        })
    var allowOsc: [OSCAdmission.Entry] = []

    @Option(help: "How this machine is announced to the network by mDNS (default: Vestibule on its name); \"\" announces nothing.")
    var announce: String?

    @Option(name: .customLong("log"), help: "How lines are written: text, or json (one object a line).")
    var logForm = LogForm.text

    @Option(name: .customLong("ready-file"), help: "Where to write the chosen ports as JSON once sound runs.")
    var readyFile: String?

    @Option(help: "Folder of the panel's files.")
    var web: String?

    @Option(help: "Folder of the rack presets.")
    var presets: String?

    @Option(help: "Folder of the sessions that clients may load and save by name (default: $XDG_DATA_HOME/vestibule/sessions).")
    var sessions: String?

    @Option(help: "Seconds between two savings of what is not saved yet, in a file beside the session's own; 0 for none.")
    var autosave = 5.0

    @Flag(inversion: .prefixedNo, help: "Goes on with unsaved changes of a run that did not end cleanly.")
    var recover = true

    @Option(help: "Folder of sound files to be heard as cues, named for them, at most 10 s each.")
    var cues: String?

    func validate() throws {
        guard (1...64).contains(listeners) else { throw ValidationError("--listeners is 1 to 64, not \(listeners).") }
        guard (0...ObjectParameter.most).contains(objects) else {
            throw ValidationError("--objects is 0 to \(ObjectParameter.most), not \(objects).")
        }
        guard object.count <= objects else {
            throw ValidationError(
                "--object is given \(object.count) times, and there is room for \(objects). Add --objects \(object.count).")
        }
        guard (certificate == nil) == (key == nil) else { throw ValidationError("--certificate and --key go together.") }
        guard autosave == 0 || (0.1...3600).contains(autosave) else {
            throw ValidationError("--autosave is 0.1 to 3600 seconds, or 0 for none, not \(autosave).")
        }
        for text in relay { _ = try TrackerOption.relay(text, listeners: listeners) }
        for text in tracker { try TrackerOption.checkTracker(text, listeners: listeners) }
        guard tracker.count <= OSCReceiver.mostTrackers - 2 else {
            throw ValidationError("--tracker is given \(tracker.count) times; there is room for \(OSCReceiver.mostTrackers - 2).")
        }
    }

    func run() throws {
        Signals.block()
        let specification = try DeviceSpecification(device)
        let live = try input.map(InputOption.init)
        let opened = try specification.open(
            DeviceFormat(rate: rate, period: period, periods: periods), input: live?.alsaName)
        let reports = Reports()
        // Some more than are asked for: a phone, and what is recognised or set from the panel.
        let engine = try Engine(
            device: opened, name: specification.description, protection: specification.protection, listeners: listeners,
            trackers: min(max(4, tracker.count + 2), OSCReceiver.mostTrackers),
            shelf: PresetShelf(folder: DataFolder.presets(presets)), cues: CueShelf(folder: cues, rate: rate), input: live,
            sessions: SessionShelf(folder: sessions ?? SessionShelf.standardFolder), objects: objects,
            sounds: SoundShelf(folder: sounds ?? SoundShelf.standardFolder, files: object.map(\.path))
        ) { reports.add($0) }
        let form = logForm
        engine.hub.log = { form.write($0) }

        let queue = RecordRing(capacity: 1 << 22)
        let inlets = engine.lines.listeners.map { PoseInlet($0.networkPoses.take(), horizon: $0.horizon, arrivals: $0.networkArrivals) }
        let admission = OSCAdmission(allowOsc)
        let recognised = Reports()
        let receiver = try OSCReceiver(
            host: bind, port: oscPort, inlets: inlets, queue: queue.producer, admission: admission,
            report: { reports.add($0) }, recognised: { recognised.add($0) })
        let desk = TrackerDesk(
            hub: engine.hub, receiver: receiver,
            linker: { source, output in
                try TrackerLinks.make(source, output) { reports.add($0) }
            })
        engine.onManualPose = { desk.noteManual(listener: $0, $1) }
        let liveness = Liveness()
        var options = WebServer.Options(
            host: bind, port: Int(httpPort), panel: DataFolder.panel(web), oscHost: bind, oscPort: Int(receiver.port))
        options.certificate = try ServeAddress(bind: bind, allowed: allowHost)
            .certificate(isWanted: tls, own: certificate.flatMap { path in key.map { (path, $0) } })
        let invitation = try Invitation(bind: bind, file: tokenFile, certificate: options.certificate)
        options.reachable = invitation.host
        options.admission = admission
        if invitation.tokens != nil { options.devices = try PairedDevices(path: StateFolder.path + "/devices.json") }
        let names = options.certificate == nil ? [] : MachineNames.names
        (options.allowedHosts, options.tokens) = (allowHost + names, invitation.tokens)
        let server = try WebServer(options, hub: engine.hub) {
            let state = engine.telemetry.state
            return Health(isAlive: liveness.isAlive, blocks: state.blocks, xruns: state.xruns)
        }
        let handle = server.handle
        let dispatcher = OSCDispatcher(
            queue: queue.consumer, hub: engine.hub, counters: receiver.counters, admission: admission, clocks: receiver.clocks,
            wake: { handle.wake() }, number: { server.takeClientNumber() }, send: { receiver.send($0, to: $1) })
        server.oscCounters = receiver.counters
        server.hold = { receiver.hold($0, until: $1) }
        connectClients(engine, server, dispatcher)
        addStreams(engine, server)
        connectTelemetry(engine, server)
        try prepare(engine, server, specification)
        let attached = try tracker.map { text in
            let (source, listener) = try TrackerOption.splitListener(text, listeners: listeners, option: "--tracker")
            return try desk.attach(source, listener: listener)
        }

        let hints = try engine.start { failure in
            if let failure { reports.add(failure.description) } else { handle.stop() }
        }
        let waiter = CodeWaiter.isPossible && logForm == .text && invitation.tokens != nil ? CodeWaiter { handle.wake() } : nil
        server.onWake = {
            if waiter?.take() == true { showCode(server) }
            if dispatcher.drain() { handle.wake() }
            for text in reports.take() { engine.hub.notice(text) }
            for profile in recognised.take() { desk.recognised(profile) }
        }
        receiver.start { handle.wake() }
        reports.onReport { handle.wake() }
        recognised.onReport { handle.wake() }
        server.every(33) {
            engine.publish()
            desk.tick(now: rt_now())
            liveness.note(engine.telemetry.state.blocks, now: rt_now())
        }
        try addRelays(engine, server)
        announceWhenReady(engine, server, receiver, invitation, hints, desk, attached)
        let announcer = Self.announcer(
            ServeAddress(bind: bind, allowed: allowHost).announcement(announce), server, receiver, isSecure: options.certificate != nil
        ) { reports.add($0) }
        Signals.onEnd { handle.stop() }
        server.run()
        announcer?.stop()
        desk.stop()
        receiver.stop()
        engine.sessions.end()
        engine.stop()
    }

    private static func announcer(
        _ name: String?, _ server: WebServer, _ receiver: OSCReceiver, isSecure: Bool, report: @escaping @Sendable (String) -> Void
    ) -> Announcer? {
        guard let name else { return nil }
        return Announcer(
            name: name,
            services: [
                AnnouncedService(type: "_oscjson._tcp", port: server.port, text: isSecure ? ["txtvers=1", "tls=1"] : ["txtvers=1"]),
                AnnouncedService(type: "_osc._udp", port: Int(receiver.port), text: ["txtvers=1", "version=1.1"]),
            ], report: report)
    }

    func showCode(_ server: WebServer) {
        guard let code = server.offerPairing(.control, .phone) else { return }
        for line in Invitation.lines(code) { print(line) }
        fflush(nil)
    }

    private func prepare(_ engine: Engine, _ server: WebServer, _ device: DeviceSpecification) throws {
        engine.connect()
        engine.onShapeChange = { server.announceChange($0) }
        engine.onRecordingChange = { for path in ["/array", "/meter"] { server.announceChange(path) } }
        if let session { try engine.sessions.load(path: URL(filePath: session).standardizedFileURL.path) }
        keepSession(engine, server, device)
        if let recording { try engine.load(recording) }
        for listener in 0..<listeners {
            if let hrtf { try set(engine, .hrtf, listener, .string(hrtf)) }
            if let headRadius { try set(engine, .headRadius, listener, .float(headRadius)) }
        }
        for (index, object) in object.enumerated() {
            for (parameter, value) in object.place { try set(engine, parameter, index, .float(value)) }
            try set(engine, ObjectParameter.source, index, .string(SoundShelf.name(object.path)))
        }
        if let method { try set(engine, .method, 0, .string(method)) }
        if let prediction { try prediction.set(engine) }
        if let recordMotion { try engine.record(motion: recordMotion) }
        if case .file = device {
            // A file ends with the recording; going round would fill the disk.
            engine.hub.handle(
                Message(address: TransportParameter.loop.address(), arguments: [.bool(false)], receiveTime: rt_now()))
        }
        if session == nil, engine.sessions.open.path == nil, !engine.sessions.isRecovered { engine.sessions.begin() }
        if engine.deck.player != nil || !object.isEmpty { engine.transport = TransportParameter.playing }
    }

    /// A file is rendered the same whatever happened before, and leaves nothing but itself.
    private func keepSession(_ engine: Engine, _ server: WebServer, _ device: DeviceSpecification) {
        if case .file = device { return }
        guard autosave > 0 else { return }
        engine.sessions.keep(recover: recover) { logForm.write($0) }
        server.every(Int(autosave * 1000)) { engine.sessions.autosave() }
    }

    private func set(
        _ engine: Engine, _ parameter: ListenerParameter, _ listener: Int, _ value: Parameters.Argument
    ) throws {
        try set(engine, parameter.address(listener), value)
    }

    private func set(_ engine: Engine, _ parameter: ObjectParameter, _ object: Int, _ value: Parameters.Argument) throws {
        try set(engine, parameter.address(object), value)
    }

    private func set(_ engine: Engine, _ address: String, _ value: Parameters.Argument) throws {
        let message = Message(address: address, arguments: [value], receiveTime: rt_now())
        if let text = engine.hub.handle(message).text { throw ValidationError(text) }
    }
}
