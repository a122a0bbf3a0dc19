/// Everything that is sent to the participant's page. No name of a method, a recording or a passage is part of it.
struct ParticipantView: Encodable, Equatable {
    enum Phase: String, Encodable {
        /// No test runs.
        case idle
        case preparing
        /// Waits for the participant to begin or to continue.
        case ready
        case trial, complete
    }

    var phase = Phase.idle
    var title = ""
    var question = ""
    var kind = ""
    /// Whether this is a quick comparison, which the panel shows in the card that started it.
    var isQuick = false
    var participant = ""
    var listener = 1
    /// Whether the sound has to be played by the browser.
    var isHeardHere = true
    /// Whether the participant has begun before.
    var isBegun = false
    /// 0 for the training.
    var trial = 0
    /// Number of trials without the training.
    var trials = 0
    /// Number of sounds to rate, or 3 in an ABX test.
    var sounds = 0
    var heard = 0
    var scores: [Double?] = []
    var isPlaying = false
    /// Seconds.
    var length = 0.0
    var region: [Double] = []
}
