internal import Crossing
internal import Streaming
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
        /// Frames that have come.
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

    /// Receives for an object from now on.
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

    /// Receives for an object no longer.
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

    /// Looks at what time changes: refusals that are over, and limits of the relay that may have room again.
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
