import Binaural
import CRealtime
import Crossing
import Device
import Hub
import Media
import OSCControl
import Parameters
import RackControl
import Render
import Session
import Tracking

/// The running engine without its network: store, hub, deck and device, and how they hang together.
///
/// Made and used on the control thread.
final class Engine {
    let tree: ParameterTree
    let hub: Hub
    let lines: RenderLines
    let deck: Deck
    let telemetry: Telemetry
    let racks: RackDesk
    let tools: PlayerTools
    let objects: ObjectDesk
    let device: any AudioDevice
    /// Called when parameters below an address have come or gone.
    var onShapeChange: (String) -> Void = { _ in }
    let workshop: PersonalWorkshop
    /// Of each listener, where its own ears are seen to.
    let desks: [PersonalDesk]
    /// Called when another recording, and so perhaps another number of microphones, is loaded.
    var onRecordingChange: () -> Void = {}
    /// Told every pose that comes through the hub: the listener from 1, and w x y z.
    var onManualPose: (Int, SIMD4<Float>) -> Void = { _, _ in }
    let sessions: SessionDesk
    private var run: DeviceRun<RenderGraph>?
    let tapes: [MotionTape]

    /// - Parameters:
    ///   - device: opened already; the renderer is made for its format.
    ///   - trackers: how many can be attached.
    ///   - protection: when a limiter stands before the ears that the device plays to.
    ///   - shelf: presets for racks; `cues`: short sounds.
    ///   - input: what comes in live; nil for nothing.
    ///   - sessions: where sessions lie.
    ///   - objects: how many sound objects there are room for; `sounds`: what they may sound.
    ///   - report: told of errors on other threads, in words.
    init(
        device: any AudioDevice, name: String, protection: Protection, listeners: Int, trackers: Int, shelf: PresetShelf,
        cues: CueShelf, input: InputOption?, sessions: SessionShelf = SessionShelf(folder: SessionShelf.standardFolder), objects: Int = 0,
        sounds: SoundShelf = SoundShelf(folder: SoundShelf.standardFolder),
        report: @escaping @Sendable (String) -> Void
    ) throws {
        tree = ParameterTree(listeners: listeners, trackers: trackers, presets: shelf.names, cues: cues.names, objects: objects)
        let store = ParameterStore(tree)
        let rate = Double(device.format.rate)
        hub = Hub(store: store, matches: OSCAddressPattern.matches)
        lines = RenderLines(
            store: store, rate: Float(rate), period: device.format.period, clip: try input?.clip(rate: device.format.rate),
            bank: CueBank(cues.sounds), protection: protection)
        deck = Deck(feeds: lines.feeds.take(), arrays: lines.arrays.take(), rate: rate, report: report)
        telemetry = Telemetry(
            hub: hub, rate: rate, period: device.format.period, engine: lines.engine.take(),
            microphones: lines.microphones.take(), stamps: lines.stamps.take(), listeners: lines.listeners.map(\.meters),
            arrivals: lines.listeners.map { [$0.networkArrivals, $0.controlArrivals] })
        racks = RackDesk(hub: hub, lines: lines, rate: device.format.rate, period: device.format.period, shelf: shelf)
        self.sessions = SessionDesk(hub: hub, racks: racks, shelf: sessions)
        tools = PlayerTools(hub: hub, lines: lines, rate: device.format.rate)
        self.objects = ObjectDesk(
            hub: hub, shelf: sounds, sounds: lines.objects.take(), hasInput: input != nil, rate: device.format.rate)
        tapes = lines.listeners.map { MotionTape(heads: $0.heads.take(), gate: $0.isRecorded.take()) }
        self.device = device
        let changes = ChangeOutlet(lines.changes.take())
        hub.schedule = { changes.send($0) }
        let (hub, workshop) = (hub, PersonalWorkshop(cache: .standard))
        self.workshop = workshop
        desks = lines.listeners.enumerated().map { index, lines in
            PersonalDesk(hub: hub, listener: index, workshop: workshop, ears: lines.personal.take())
        }
        hub.publish(tree.slot(EngineParameter.device), .text(name))
        hub.publish(tree.slot(InputParameter.source), .text(input?.description ?? ""))
        for warning in cues.warnings { hub.notice(warning) }
    }

    /// Moves the renderer to the device.
    /// - Parameter onEnd: called on the device's thread when it ends by itself; nil is the end of the recording.
    /// - Returns: what would make the run safer, one line each.
    func start(onEnd: @escaping @Sendable (DeviceError?) -> Void) throws(DeviceError) -> [String] {
        let run = try device.start(lines.graph.take(), onEnd: onEnd)
        self.run = run
        racks.start()
        return run.hints
    }

    /// Ends the device, then the deck; the renderer is freed here.
    func stop() {
        _ = run?.stop()
        run = nil
        do { try endMotion() } catch { hub.notice("\(error)") }
        deck.player?.stop()
        workshop.stop()
        objects.stop()
        racks.stop()
    }

    // MARK: The recording

    /// Loads a recording and tells everybody about its array.
    func load(_ path: String) throws(MediaError) {
        try deck.load(path, loop: hub.value(tree.slot(TransportParameter.loop)) == .number(1))
        guard let player = deck.player else { return }
        hub.publish(tree.slot(SessionParameter.recording), .text(path))
        hub.publish(tree.slot(TransportParameter.duration), .number(Float(player.duration)))
        publishArray()
        for warning in player.warnings + deck.warnings { hub.notice(warning) }
    }

    var transport: Int {
        get { Int(hub.value(tree.slot(TransportParameter.state)).numbers[0]) }
        set { hub.publish(tree.slot(TransportParameter.state), .number(Float(newValue))) }
    }

    /// Publishes all telemetry, and where the recording is; stops the transport at the recording's end.
    func publish() {
        telemetry.publish(now: rt_now())
        deck.settle()
        racks.publish()
        tools.publish(telemetry.state)
        sessions.tick(now: rt_now())
        settlePersonal()
        objects.settle()
        collectMotion()
        let state = telemetry.state
        if let position = deck.position(state) {
            hub.publish(tree.slot(TransportParameter.position), .number(Float((position * 100).rounded() / 100)))
        }
        if state.feedEnded, transport == TransportParameter.playing, !(deck.player?.loop ?? true) {
            transport = TransportParameter.stopped
            deck.player?.seek(seconds: 0)
        }
    }
}
