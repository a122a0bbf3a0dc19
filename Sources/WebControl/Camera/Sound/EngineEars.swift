internal import Crossing
internal import Streaming

/// The engine as a receiver of microphones, for its sound objects: what objects want, and the links on which it comes.
///
/// Used on the loop only; decoding has a thread of its own.
final class EngineEars {
    /// Number among the peers, which no connection has; identity and name by which senders know it.
    static let (peer, identity, name) = (0, "engine", "Engine, for sound objects")

    /// Milliseconds after which a sender that has refused is asked again, and between two looks at that.
    private static let (patience, interval) = (300_000.0, 2000.0)

    /// A link from a sender.
    struct Link {
        let number: Int
        var isOpen: Bool
        /// Frames that have come.
        var arrived = 0
    }

    /// By object.
    private(set) var wishes: [Int: SoundWish] = [:]
    /// By sender.
    var links: [Int: Link] = [:]
    /// Whether wishes and peers have to be compared.
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
        wishes[object] = SoundWish(name, voice, gate: gate.control)
        if thread == nil { thread = VoiceThread() }
        thread?.set(object, voice)
        isDue = true
    }

    /// Receives for an object no longer.
    func release(_ object: Int) {
        guard let wish = wishes.removeValue(forKey: object) else { return }
        wish.state = .away
        ended = ended + wish.voice.counts
        thread?.set(object, nil)
        isDue = true
    }

    /// Takes a packet of a sender.
    ///
    /// - Parameter number: that the sender has given it.
    func take(_ packet: [UInt8], number: UInt32, from sender: Int, now: Double) {
        for wish in wishes.values where wish.sender == sender && wish.state == .heard {
            wish.voice.push(packet, number: number, now: now)
        }
        thread?.wake()
    }

    /// Notes the state of a link, or its end.
    func note(_ link: Link?, from sender: Int, end: RelayEnd? = nil, name: String = "", now: Double) {
        links[sender] = link
        for wish in wishes.values where wish.sender == sender {
            if let link {
                wish.state = link.isOpen ? .heard : .asking
                continue
            }
            wish.sender = nil
            switch end {
            case .denied: (wish.refusal, wish.state) = (.init(by: sender, until: now + Self.patience), .refused("\(name) has refused"))
            case .stopped:
                (wish.refusal, wish.state) = (.init(by: sender), .refused("\(name) has stopped the transmission to the engine"))
            default: wish.state = .away
            }
        }
        isDue = true
    }

    /// Lets a sender be asked again.
    ///
    /// - Parameter isPardoned: also after it has stopped the engine, not only after it has refused.
    func forgive(_ sender: Int, isPardoned: Bool) {
        for wish in wishes.values where wish.refusal?.sender == sender && (isPardoned || wish.refusal?.end != .infinity) {
            wish.refusal = nil
        }
        isDue = true
    }

    /// Looks at what time changes: refusals that are over, and limits of the relay that may have room again.
    func tick(now: Double) {
        guard now - looked >= Self.interval else { return }
        looked = now
        for wish in wishes.values {
            if let refusal = wish.refusal, now >= refusal.end { wish.refusal = nil }
            if case .refused = wish.state, wish.refusal == nil { isDue = true }
        }
    }

    var counts: VoiceCounts { wishes.values.reduce(ended) { $0 + $1.voice.counts } }
}
