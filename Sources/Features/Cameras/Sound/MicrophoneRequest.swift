internal import Crossing

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
