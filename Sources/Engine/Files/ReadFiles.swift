import Media
import Rack
import Session

/// The files of one message, read or refused.
package struct ReadFiles: Sendable {
    /// The contents of a file, as far as its request needs them.
    enum Contents: Sendable {
        case recording(OpenedRecording)
        case session(SessionFile)
        case rack(RackDescription)
        /// Path of a file that can be used.
        case usable(String)
    }

    var results: [FileRequest: Result<Contents, any Error>] = [:]
}

/// A recording that plays into feeds which no renderer has admitted yet.
package struct OpenedRecording: Sendable {
    let player: RecordingPlayer
    /// Number by which its feeds are admitted.
    let ticket: Int
}
