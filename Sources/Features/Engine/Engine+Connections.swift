import Crossing
import Hub
import Media
import Parameters
import Render
import RenderInterface
import Session

extension Engine {
    /// Connects the parameters with the parts that act on them.
    package func connect() {
        connectRecording()
        connectSound()
        connectTests()
        connectControllers()
        connectListeners()
        connectSessions()
    }

    private func connectRecording() {
        let changes = TimedChangeSender(lines.changes.take())
        hub.schedule = { changes.send($0) }
        files.connect(recording.playback.opener)
        files.recording = { [hub] in hub.value(hub.tree.index(SessionParameter.recording)).text ?? "" }
        recording.transport.connect()
        recording.video.connect()
        recording.deck.connect()
        recording.array.connect()
        recording.liveArray.connect()
        recording.liveArray.onChange = { [unowned self] in recording.transport.onRecordingChange() }
        recording.array.onChange = { [unowned self] in listeners.hrtf.followArray() }
    }

    /// Connects everything that makes, filters or records sound, and the library.
    private func connectSound() {
        sources.tools.connect()
        racks.connect { [unowned self] in onShapeChange($0) }
        listeners.hrtf.connect()
        sources.presence.connect()
        sources.objects.connect()
        sources.objects.paths.recording = { [unowned self] in
            hub.value(tree.index(TransportParameter.loop)).numbers[0] != 0 ? recording.playback.player?.duration ?? 0 : 0
        }
        sources.room.connect()
        lists.connect()
        sources.music.connect()
        listeners.motion.connect()
        libraries.connect()
    }

    private func connectTests() {
        listeners.sound.isRendered = { [unowned network = listeners.network] in network.isRendered($0) }
        tests.connect()
        tests.blind = { [telemetry, racks, listeners] listener in
            telemetry.blinded = listener
            racks.blinded = listener
            listeners.sound.blinded = listener
            listeners.network.isBlinded = listener != nil
        }
    }

    /// Connects MIDI, the cue list and the device, whose changes can be undone.
    private func connectControllers() {
        controllers.connect(sessions)
        devices.outputs.connect()
        devices.playing.connect()
        devices.playing.note = { [sessions] in sessions.undo.note($0) }
    }

    private func connectListeners() {
        for (listener, line) in lines.listeners.enumerated() {
            listeners.poses.connect(listener, line, listeners.arrivals.control[listener])
        }
        listeners.network.onMake = { [unowned self] in attach($0, $1) }
        listeners.network.onRemove = { [unowned self] in
            libraries.takes.forget($0)
            racks.clear($0)
            hub.reset(listener: $0)
        }
        libraries.takes.sources.network = { [unowned network = listeners.network] in network.numbers }
        libraries.takes.sources.onEars = { [unowned network = listeners.network] in network.record($0) }
        listeners.network.connect()
        listeners.groups.connect()
        listeners.places.connect()
    }

    private func connectSessions() {
        let keeping = SessionKeeping(hub: hub, network: listeners.network) { [unowned paths = sources.objects.paths] in paths.moves($0) }
        (sessions.files.isKept, sessions.scenes.isKept) = (keeping.isKept, keeping.isKept)
        sessions.files.onListeners = { [unowned network = listeners.network] in network.follow(keeping.names(in: $0)) }
        sessions.files.onObjects = { [presence = sources.presence] in presence.follow($0) }
        sessions.files.isReady = { [unowned network = listeners.network] in network.prepare(keeping.names(in: $0).keys) }
        racks.isKept = { [unowned network = listeners.network] in
            if case .output(let listener) = $0 { network.isKept(listener) } else { true }
        }
        sessions.connect()
    }

    /// Connects a new listener on the network.
    private func attach(_ listener: Int, _ line: RenderConnections.Listener) {
        telemetry.addListener(line.meters.take())
        listeners.poses.connect(listener, line, listeners.arrivals.control[listener])
        listeners.hrtf.add(listener, line)
        racks.add(listener, line)
        listeners.sound.addListener()
        listeners.motion.add(line)
        onListener(listener, line)
    }
}

/// Sends the renderer changes that are due at a later time.
final class TimedChangeSender {
    private var changes: Ring<TimedChange>.Producer

    init(_ changes: consuming Ring<TimedChange>.Producer) { self.changes = changes }

    /// - Returns: false when the renderer has no room for another one.
    func send(_ change: TimedChange) -> Bool { changes.push(change) }
}
