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
