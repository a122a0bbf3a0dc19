import Binaural
import CRealtime
import Crossing
package import Device
package import Hub
import Media
package import Parameters
package import Pose
package import Render
import RenderCore
import RenderInterface
import Session

/// The running engine without its network: parameters, hub, renderer and device, and the parts that join them.
///
/// Made and used on the control thread.
package final class Engine {
    package let tree: ParameterTree
    package let hub: Hub
    let store: ParameterStore
    package let lines: RenderConnections
    /// Rate and largest block of the renderer, whichever device plays.
    package let format: DeviceFormat
    package let telemetry: Telemetry
    package let playback: Playback
    package let transport: Transport
    package let deck: Deck
    package let liveArray: LiveArrayControl
    package let overview: OverviewMaker
    package let poses: PoseController
    package let listeners: NetworkListeners
    package let groups: ListenerGroups
    package let racks: Racks
    package let sound: SoundWatch
    package let sessions: Sessions
    package let motion: MotionRecorder
    package let tests: ListeningTests
    package let takes: Takes
    package let midi: MIDIControl
    package let cueList: CueList
    /// Arrival statistics of each listener's poses, by the thread that delivers them.
    package let networkArrivals: [PoseArrivals]
    private let controlArrivals: [PoseArrivals]
    package let files: FileDesk
    private let array: ArrayEditor
    private let hrtf: HRTFLoaders
    private let objects: ObjectController
    private let lists: NameLists
    private let tools: InstrumentTools
    private let music: MusicController
    private let outputs: OutputController
    private let devices: DeviceController
    /// Whether the device may render because everything that was asked for at the start is there.
    private var isReleased = false
    /// Called with an address when parameters below it were added or removed.
    package var onShapeChange: (String) -> Void = { _ in }
    /// Called with every listener on the network that is made, after its parts were connected.
    package var onListener: (Int, RenderConnections.Listener) -> Void = { _, _ in }

    /// - Parameters:
    ///   - device: opened already; the renderer is made for its format.
    ///   - report: called with errors of other threads, in words.
    package init(_ options: EngineOptions, device: any AudioDevice, report: @escaping @Sendable (String) -> Void) throws {
        format = device.format
        tree = ParameterTree(
            listeners: options.listeners, network: options.networkListeners, trackers: options.trackers, presets: options.presets.names,
            cues: options.cues.names,
            objects: options.objects, mappings: MIDIMappingParameter.most, cueList: CueListEntryParameter.most)
        let store = ParameterStore(tree)
        self.store = store
        let (rate, period) = (device.format.rate, device.format.period)
        hub = Hub(store: store, matches: options.matches)
        lines = RenderConnections(
            store: store, wired: options.listeners, workers: options.networkListeners > 0 ? max(1, options.workers) : 0,
            rate: Float(rate), period: period, clip: try options.input?.clip(rate: rate),
            longestLoop: options.input == nil ? 0 : LooperControl.longest * rate, bank: CueBank(options.cues.sounds),
            protection: options.protection)
        networkArrivals = lines.heads.map { _ in PoseArrivals() }
        controlArrivals = lines.heads.map { _ in PoseArrivals() }
        telemetry = Telemetry(
            hub: hub, rate: Double(rate), period: period, engine: lines.engine.take(), microphones: lines.microphones.take(),
            stamps: [lines.stamps] + lines.network.workers.map(\.stamps), listeners: lines.listeners.map(\.meters),
            arrivals: zip(networkArrivals, controlArrivals).map { [$0, $1] })
        playback = Playback(
            feeds: lines.feeds.take(), arrays: lines.arrays.take(), workers: lines.network.workers.map(\.arrays),
            rate: Double(rate), report: report)
        if let array = options.array { try playback.open(array, device: device) }
        let files = FileDesk(FileReader(tree: tree, sounds: options.sounds), clients: options.files)
        self.files = files
        array = ArrayEditor(hub: hub, playback: playback, rate: Double(rate))
        let transport = Transport(hub: hub, telemetry: telemetry, playback: playback, array: array, files: files)
        self.transport = transport
        liveArray = LiveArrayControl(hub: hub, playback: playback, array: array)
        let overview = OverviewMaker(hub: hub)
        self.overview = overview
        let deck = Deck(hub: hub, telemetry: telemetry, playback: playback, transport: transport, files: files, rate: Double(rate))
        self.deck = deck
        transport.onLoad = {
            overview.make($0)
            deck.locate()
        }
        poses = PoseController(hub: hub, telemetry: telemetry)
        listeners = NetworkListeners(hub: hub, lines: lines)
        groups = ListenerGroups(hub: hub)
        hrtf = HRTFLoaders(hub: hub, playback: playback, lines: lines, rate: Double(rate), files: files)
        racks = Racks(hub: hub, lines: lines, rate: rate, period: period, presets: options.presets, files: files)
        sound = SoundWatch(hub: hub, lines: lines, racks: racks)
        objects = ObjectController(
            hub: hub, folder: options.sounds, sounds: lines.objects.take(), hasInput: options.input != nil, rate: rate,
            files: files)
        lists = NameLists(hub: hub, files: files, presets: options.presets)
        music = MusicController(
            hub: hub, sounds: options.sounds, feeds: lines.music.take(), heard: lines.isMusicHeard, rate: rate)
        tools = InstrumentTools(hub: hub, lines: lines, rate: rate, hasInput: options.input != nil)
        let devices = DeviceController(hub: hub, device: device, exchange: options.exchange, report: report)
        self.devices = devices
        outputs = OutputController(
            hub: hub, routes: options.outputs ?? OutputRoutes(listeners: options.listeners), channels: { devices.channels })
        tests = ListeningTests(
            hub: hub, lines: lines, format: device.format, telemetry: telemetry, playback: playback, transport: transport, hrtf: hrtf,
            files: files)
        midi = MIDIControl(hub: hub)
        cueList = CueList(hub: hub, actions: CueActions(hub: hub, files: files, sounds: options.cues, rate: rate))
        motion = MotionRecorder(hub: hub, lines: lines, playback: playback, files: files)
        sessions = Sessions(hub: hub, racks: racks, folder: options.sessions, files: files) { try transport.change($0) }
        takes = Takes(
            hub: hub, lines: lines, playback: playback, files: files,
            format: .init(rate: rate, period: period, isProtected: options.protection == .always, hasInput: options.input != nil),
            session: { [sessions] in sessions.files.current }, sample: { [telemetry] in telemetry.state.samples },
            hook: options.onTakeWrite)
        hub.publish(tree.index(DeviceParameter.name), .text(options.deviceName))
        hub.publish(tree.index(InputParameter.source), .text(options.input?.description ?? ""))
        for warning in options.cues.warnings { hub.notice(warning) }
    }

    /// Connects the parameters with the parts that act on them.
    package func connect() {
        let changes = TimedChangeSender(lines.changes.take())
        hub.schedule = { changes.send($0) }
        files.connect(playback.opener)
        files.recording = { [hub, tree] in hub.value(tree.index(SessionParameter.recording)).text ?? "" }
        transport.connect()
        deck.connect()
        array.connect()
        liveArray.connect()
        liveArray.onChange = { [unowned self] in transport.onRecordingChange() }
        array.onChange = { [unowned self] in hrtf.followArray() }
        tools.connect()
        racks.connect { [unowned self] in onShapeChange($0) }
        hrtf.connect()
        objects.connect()
        lists.connect()
        music.connect()
        motion.connect()
        takes.connect()
        tests.connect()
        midi.connect()
        midi.note = { [sessions] in sessions.undo.note($0) }
        cueList.connect()
        cueList.note = { [sessions] in sessions.undo.note($0) }
        cueList.actions.isCrossfading = { [sessions] in sessions.scenes.isCrossfading }
        cueList.actions.haltCrossfade = { [sessions] in sessions.scenes.finishCrossfade() }
        sessions.files.onApply = { [unowned cueList] in cueList.rewind() }
        outputs.connect()
        devices.connect()
        devices.note = { [sessions] in sessions.undo.note($0) }
        for (listener, line) in lines.listeners.enumerated() { poses.connect(listener, line, controlArrivals[listener]) }
        listeners.onMake = { [unowned self] in attach($0, $1) }
        listeners.onRemove = { [unowned self] in
            takes.forget($0)
            reset($0)
        }
        takes.network = { [unowned listeners] in listeners.numbers }
        takes.onEars = { [unowned listeners] in listeners.record($0) }
        listeners.connect()
        groups.connect()
        let isKept = { [unowned self] (node: ParameterTree.Node) in
            hub.tree.listener(ofParameter: node.index).map { listeners.isKept($0) } ?? true
        }
        (sessions.files.isKept, sessions.scenes.isKept) = (isKept, isKept)
        sessions.files.onListeners = { [unowned self] in listeners.follow(names(in: $0)) }
        racks.isKept = { [unowned listeners] in if case .output(let listener) = $0 { listeners.isKept(listener) } else { true } }
        sessions.connect()
    }

    /// Names of listeners on the network in a session, by index among all listeners.
    private func names(in snapshot: Snapshot) -> [Int: String] {
        snapshot.parameters.reduce(into: [:]) { names, entry in
            guard case .string(let name) = entry.value.first, !name.isEmpty, let index = hub.tree.declaredIndex(at: entry.key),
                let listener = hub.tree.listener(ofParameter: index), index == hub.tree.index(ListenerParameter.name, listener),
                listener >= hub.tree.wired
            else { return }
            names[listener] = name
        }
    }

    /// Connects a listener on the network that begins.
    private func attach(_ listener: Int, _ line: RenderConnections.Listener) {
        telemetry.addListener(line.meters.take())
        poses.connect(listener, line, controlArrivals[listener])
        hrtf.add(listener, line)
        racks.add(listener, line)
        sound.addListener()
        motion.add(line)
        onListener(listener, line)
    }

    /// Returns everything of a listener to what it was at the start, before it is removed.
    private func reset(_ listener: Int) {
        racks.clear(listener)
        let settings = ListenerParameter.allCases.map { hub.tree.index($0, listener) }
        let reports = ListenerClient.allCases.map { hub.tree.index($0, listener) }
        for index in settings + reports {
            let node = hub.tree.nodes[index]
            guard node.spec.access == .readWrite, hub.value(index) != node.spec.initial else { continue }
            hub.set(node.address, to: node.spec.arguments(node.spec.initial))
        }
    }

    /// Plays listeners on the channels that the command line names, whichever listener a session plays there.
    /// - Parameter pairs: by listener, counted from 0.
    package func play(_ pairs: [Int: ChannelPair]) { outputs.prefer(pairs) }

    /// Moves the renderer to the device.
    /// - Parameter onEnd: called on the device's thread when it ends by itself; nil is the end of the recording.
    /// - Returns: advice that would make the run safer against dropouts, one line each.
    package func start(onEnd: @escaping @Sendable (DeviceError?) -> Void) throws(DeviceError) -> [String] {
        try listeners.start(format)
        let hints = try devices.start(lines.graph.take(), onEnd: onEnd)
        files.isInBackground = true
        racks.start()
        return hints
    }

    /// Publishes telemetry, and takes the results of all background work; called some thirty times a second.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    package func tick(now: UInt64 = rt_now()) {
        telemetry.publish(now: now)
        hub.settle(now: now)
        playback.settle()
        racks.publish()
        tools.publish(telemetry.state)
        music.publish()
        midi.publish()
        sound.publish(now: now)
        sessions.tick(now: now)
        hrtf.settle()
        objects.settle()
        lists.settle()
        overview.settle()
        motion.collect()
        takes.tick()
        tests.tick(now: now)
        deck.tick()
        transport.publish()
        liveArray.publish(telemetry.state, now: now)
        devices.tick(now: now)
        listeners.tick(now: now)
        cueList.tick(now: now, played: played())
        releaseDevice()
    }

    /// The parts of the recording that were played since the last call.
    private func played() -> [PositionWatch.Part] {
        let state = telemetry.state
        guard transport.state == TransportParameter.playing, let start = playback.start(state), let position = playback.position(state),
            let duration = playback.player?.duration
        else { return [] }
        return cueList.positions.look(feed: state.feed, start: start, position: position, duration: duration)
    }

    /// Lets a device that waits for it begin, as soon as the sounds, filters and impulse responses of the start have been read.
    private func releaseDevice() {
        guard !isReleased, devices.isStarted, hrtf.isSettled, objects.isSettled, racks.isSettled else { return }
        isReleased = true
        devices.release()
    }

    /// Stops the device, then everything that feeds it; the renderer is freed here.
    package func stop() {
        devices.stop()
        listeners.stop()
        motion.stop()
        takes.stop()
        tests.suspend()
        hub.abandonWork()
        playback.stop()
        music.stop()
        hrtf.stop()
        overview.stop()
        objects.stop()
        racks.stop()
    }
}
