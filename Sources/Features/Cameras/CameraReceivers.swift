internal import Crossing
internal import ListenerStreams
internal import Streaming
internal import Synchronization
internal import Threads
internal import Web

/// The engine as a receiver of microphones, for its sound objects: the requests of objects, and the links that serve them.
///
/// Used on the loop only; decoding has its own thread.
final class CameraReceivers {
    /// Number among the peers, which no connection has; identity and name shown to senders.
    static let (peer, identity, name) = (0, "engine", "Engine, for sound objects")

    /// Milliseconds after which a sender that has refused is asked again, and between two checks of that.
    private static let (patience, interval) = (300_000.0, 2000.0)

    /// A link from a sender.
    struct Link {
        let number: Int
        var isOpen: Bool
        /// Frames that have arrived.
        var arrived = 0
    }

    /// By object.
    private(set) var requests: [Int: MicrophoneRequest] = [:]
    /// By sender.
    var links: [Int: Link] = [:]
    /// Whether requests and peers have to be compared.
    var isDue = false
    private var looked = 0.0
    private var thread: VoiceThread?
    /// Counts of voices that have ended.
    private var ended = VoiceCounts()

    deinit { thread?.stop() }

    /// Starts to receive sound for an object.
    ///
    /// - Parameters:
    ///   - rate: of the engine, frames per second.
    ///   - period: frames that the engine takes at once.
    ///   - floor: milliseconds of sound that have to wait for the engine.
    ///   - deliver: takes the sound, and whether it may be heard.
    func receive(
        _ name: String, for object: Int, rate: Int, period: Int, floor: Double,
        deliver: (consuming FrameRing.Consumer, consuming Switch.Realtime) -> Void
    ) {
        release(object)
        // Two thirds of a second at 48 kHz or at 192 kHz.
        let ring = FrameRing(channels: 1, capacity: rate > 48_000 ? 1 << 17 : 1 << 15)
        let gate = Switch()
        deliver(ring.consumer, gate.realtime)
        guard let voice = CameraVoice(ring.producer, rate: rate, period: period, floor: floor) else { return }
        requests[object] = MicrophoneRequest(name, voice, gate: gate.control)
        do throws(ThreadError) {
            if thread == nil { thread = try VoiceThread() }
            thread?.set(object, voice)
        } catch { requests[object]?.problem = "\(error)" }
        isDue = true
    }

    /// Stops receiving sound for an object.
    func release(_ object: Int) {
        guard let request = requests.removeValue(forKey: object) else { return }
        request.state = .away
        ended = ended + request.voice.counts
        thread?.set(object, nil)
        isDue = true
    }

    /// Takes a packet of a sender.
    ///
    /// - Parameter number: that the sender has given it.
    func take(_ packet: [UInt8], number: UInt32, from sender: Int, now: Double) {
        for request in requests.values where request.sender == sender && request.state == .heard {
            request.voice.push(packet, number: number, now: now)
        }
        thread?.wake()
    }

    /// Notes the state of a link, or its end.
    func note(_ link: Link?, from sender: Int, end: RelayEnd? = nil, name: String = "", now: Double) {
        links[sender] = link
        for request in requests.values where request.sender == sender {
            if let link {
                request.state = link.isOpen ? .heard : .asking
                continue
            }
            request.sender = nil
            switch end {
            case .denied:
                (request.refusal, request.state) = (.init(by: sender, until: now + Self.patience), .refused("\(name) has refused"))
            case .stopped:
                (request.refusal, request.state) = (.init(by: sender), .refused("\(name) has stopped the transmission to the engine"))
            default: request.state = .away
            }
        }
        isDue = true
    }

    /// Lets a sender be asked again.
    ///
    /// - Parameter isPardoned: also after it has stopped the engine, not only after it has refused.
    func forgive(_ sender: Int, isPardoned: Bool) {
        for request in requests.values where request.refusal?.sender == sender && (isPardoned || request.refusal?.end != .infinity) {
            request.refusal = nil
        }
        isDue = true
    }

    /// Checks what changes with time: refusals that are over, and limits of the relay that may have room again.
    func tick(now: Double) {
        guard now - looked >= Self.interval else { return }
        looked = now
        for request in requests.values {
            if let refusal = request.refusal, now >= refusal.end { request.refusal = nil }
            if case .refused = request.state, request.refusal == nil { isDue = true }
        }
    }

    var counts: VoiceCounts { requests.values.reduce(ended) { $0 + $1.voice.counts } }
}

/// An object's request for the microphone of a peer by name, and its state.
final class MicrophoneRequest {
    enum State: Equatable {
        /// No peer of this name offers sound.
        case away
        /// The sender has been asked.
        case asking
        case heard
        /// The relay or the sender has refused, for a reason in words.
        case refused(String)
    }

    /// Answer of a peer that does not send its sound to the engine.
    struct Refusal {
        let sender: Int
        /// Milliseconds at which it may be asked again.
        let end: Double

        /// - Parameter end: infinite as long as the sender's offer lasts and it does not pardon the engine.
        init(by sender: Int, until end: Double = .infinity) { (self.sender, self.end) = (sender, end) }
    }

    let name: String
    /// The reason why nothing can be heard whatever the sender does, in words; nil for none.
    var problem: String?
    let voice: CameraVoice
    private let gate: Switch.Control
    /// Number of the peer that is heard or asked.
    var sender: Int?
    /// The sender's last refusal, if any: it is not asked again meanwhile.
    var refusal: Refusal?
    /// Sound passes only while it is heard.
    var state = State.away {
        didSet { gate.set(state == .heard) }
    }

    init(_ name: String, _ voice: CameraVoice, gate: consuming Switch.Control) {
        self.name = name
        self.voice = voice
        self.gate = gate
    }

    /// For a person to read.
    var words: String {
        if let problem { return "failed: \(problem)" }
        return switch state {
        case .away: "waiting: \(name) offers no sound"
        case .asking: "waiting: \(name) has been asked"
        case .heard: "camera \(name)"
        case .refused(let reason): "failed: \(reason)"
        }
    }
}

/// The thread that decodes the sound of all microphones that sound objects use. It sleeps while no packets arrive.
// SAFETY: `work` is set by the initializer only; `voices` is behind a lock.
final class VoiceThread: @unchecked Sendable {
    /// By object.
    private let voices = Mutex<[Int: CameraVoice]>([:])
    private var work: EncodingWork!

    init() throws(ThreadError) {
        work = EncodingWork("camera sound") { [unowned self] in
            for voice in voices.withLock({ Array($0.values) }) { voice.work() }
            return false
        }
        try work.start()
    }

    /// Sets the voice that is decoded for an object; nil for none.
    func set(_ object: Int, _ voice: CameraVoice?) { voices.withLock { $0[object] = voice } }

    /// Wakes the thread to process new packets.
    func wake() { work.wake() }

    /// Ends the thread and waits for it.
    func stop() { work.stop() }
}
