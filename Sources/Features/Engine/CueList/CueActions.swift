import CRealtime
import Hub
import Parameters

/// Carries out the actions of cues, by the messages that a client would send.
///
/// Used on the control thread only.
final class CueActions {
    private let hub: Hub
    private let files: MessageFiles
    /// Seconds of each short sound.
    private let durations: [String: Double]
    private var budget = MessageBudget(rate: CueActions.rate, now: rt_now())
    /// Latest due time of an OSC message so far; cues with earlier due times may follow.
    private var latest: UInt64 = 0
    /// Number of times that everything was stopped; a recording that was still loading then does not play afterwards.
    private var stops = 0
    /// Sends an OSC message to another program; never waits.
    var send: (OutgoingMessage) -> Void = { _ in }
    /// Whether a crossfade is running.
    var isCrossfading: () -> Bool = { false }
    /// Halts the crossfade.
    var haltCrossfade: () -> Void = {}

    /// Sender of changes that cues make: an address with the prefix 100::/64, which no client has.
    static let sender = NetworkAddress(bytes: SIMD16(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
    /// Maximum number of OSC messages a second.
    static let rate = 100

    init(hub: Hub, files: MessageFiles, sounds: CueLibrary, rate: Int) {
        self.hub = hub
        self.files = files
        durations = Dictionary(sounds.sounds.map { ($0.name, Double($0.interleaved.count / 2) / Double(rate)) }) { first, _ in first }
    }

    /// Carries out an action that concerns the engine, not the list.
    /// - Parameter time: at which the cue acts, CLOCK_MONOTONIC nanoseconds.
    /// - Returns: the event that ends the action.
    func perform(_ cue: Cue, time: UInt64) -> CueEnd {
        switch cue.action {
        case .scene(let name, let fade):
            let seconds = fade.map { [Argument.float(Float($0.seconds))] } ?? []
            send(SceneParameter.recall.address(), [.string(name)] + seconds, of: cue, time: time)
            return .crossfade
        case .sound(let name):
            send(CueParameter.play.address(), [.string(name)], of: cue, time: time)
            return .at(time &+ UInt64(clamping: (durations[name] ?? 0) * 1e9))
        case .stopSounds(nil): send(CueParameter.stop.address(), [], of: cue, time: time)
        case .stopSounds(let fade?):
            send(CueParameter.fadeOut.address(), [.float(Float(fade.seconds))], of: cue, time: time)
            return .at(time &+ UInt64(clamping: fade.seconds * 1e9))
        case .object(let number, let sound): set(object: number, sound ?? "", of: cue, time: time)
        case .recording(let name, let fade):
            play(name, fade, of: cue, time: time)
            return .recording
        case .play:
            send(TransportParameter.play.address(), [], of: cue, time: time)
            return .recording
        case .pause: send(TransportParameter.pause.address(), [], of: cue, time: time)
        case .stop: send(TransportParameter.stop.address(), [], of: cue, time: time)
        case .seek(let place): send(TransportParameter.seek.address(), [.float(Float(place.seconds))], of: cue, time: time)
        case .osc(let message): send(message, of: cue, time: time)
        case .cue, .stopAll: break
        }
        return .files
    }

    /// Silences everything that cues have started, except the sounds of objects.
    func stopAll(time: UInt64) {
        stops += 1
        haltCrossfade()
        for address in [CueParameter.stop.address(), TransportParameter.stop.address()] {
            // The program's own messages do not wait for those of cues, which may wait for files.
            hub.asSeparateEdit { _ = hub.handle(Message(address: address, arguments: [], receiveTime: time)) }
        }
    }

    func hasEnded(_ end: CueEnd, now: UInt64) -> Bool {
        if case .at(let time) = end { return time <= now }
        guard !hub.isWaiting(nil, Self.sender) else { return false }
        switch end {
        case .crossfade: return !isCrossfading()
        case .recording: return hub.value(hub.tree.index(TransportParameter.state)).numbers[0] == Float(TransportParameter.stopped)
        case .files, .at: return true
        }
    }

    private func set(object number: Int, _ sound: String, of cue: Cue, time: UInt64) {
        let present = hub.tree.isObjectPresent
        guard present.indices.contains(number - 1), present[number - 1] else {
            return hub.notice("cue \(cue.title): there is no object \(number); \(ObjectSounds.add.address()) adds one")
        }
        send(ObjectParameter.source.address(number - 1), [.string(sound)], of: cue, time: time)
    }

    /// Loads a recording, and plays it once it has been opened.
    private func play(_ name: String, _ fade: CueTime?, of cue: Cue, time: UInt64) {
        let recording = SessionParameter.recording
        let seconds = fade.map { [Argument.float(Float($0.seconds))] } ?? []
        guard send(recording.address(), [.string(name)] + seconds, of: cue, time: time) else { return }
        let stopsBefore = stops
        hub.afterEarlierMessages(from: nil, Self.sender) { [unowned self] in
            guard stops == stopsBefore else { return }
            let loaded = hub.value(hub.tree.index(recording)).text
            guard let path = try? files.clients.path(name, .recordings), path == loaded else {
                return hub.notice("cue \(cue.title): the recording \"\(name)\" was not loaded")
            }
            send(TransportParameter.play.address(), [], of: cue, time: time)
        }
    }

    private func send(_ message: OutgoingMessage, of cue: Cue, time: UInt64) {
        latest = max(latest, time)
        guard budget.spend(1, now: latest) else {
            return hub.notice("cue \(cue.title): not sent to \(message.destination): cues send at most \(Self.rate) OSC messages a second")
        }
        send(message)
    }

    /// - Returns: false when the message was refused at once.
    @discardableResult
    private func send(_ address: String, _ arguments: [Argument], of cue: Cue, time: UInt64) -> Bool {
        var reply = Reply.done
        // A separate undo step, not part of the message that fired the cue.
        hub.asSeparateEdit {
            reply = hub.handle(Message(address: address, arguments: arguments, receiveTime: time, sender: Self.sender))
        }
        guard let text = reply.text else { return true }
        hub.notice("cue \(cue.title): \(text)")
        return false
    }
}

/// The moment at which the action of a cue has ended.
enum CueEnd: Equatable {
    /// A time of CLOCK_MONOTONIC, nanoseconds.
    case at(UInt64)
    /// The end of the crossfade.
    case crossfade
    /// The end of the recording, or the moment at which it is stopped.
    case recording
    /// The moment at which the files that the action needs have been read.
    case files
}
