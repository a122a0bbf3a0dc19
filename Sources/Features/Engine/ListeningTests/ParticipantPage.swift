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

/// A message of the participant's page.
struct ParticipantCommand: Decodable {
    enum Kind: String, Decodable {
        /// Begins, or continues.
        case start
        /// Switches to a sound.
        case hear
        case play, pause
        /// Chooses the part of the passage that is repeated.
        case region
        case rate
        /// Answers which sound X is.
        case answer
        /// Goes to the next trial.
        case next
        case recenter
    }

    var type: Kind
    /// 0 for the reference, otherwise the position; in an ABX test 0, 1 and 2 for A, B and X.
    var sound: Int?
    var score: Double?
    /// Seconds in the passage.
    var from: Double?
    var to: Double?
}
