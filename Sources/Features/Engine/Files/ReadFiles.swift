import Media
import Pose
import Rack
import Session

/// The files of one message, read or refused.
package struct ReadFiles: Sendable {
    /// The contents of a file, as far as its request needs them.
    enum Contents: Sendable {
        case recording(OpenedRecording)
        case session(SessionFile)
        case rack(RackDescription)
        case video(VideoFacts)
        case room(RoomFile)
        /// Path of a file that can be used.
        case usable(String)
        /// A saved session, or nil after one was renamed, copied or deleted; and the names of all sessions after that.
        case saved(SessionFile?, names: [String])
        /// Another file was written.
        case written
        /// The files of a motion recording, one per listener.
        case motion([Int: MotionWriter.File])
    }

    var results: [FileRequest: Result<Contents, any Error>] = [:]

    /// The result of writing the file of the message; nil when it writes none.
    var writing: Result<Contents, any Error>? {
        results.first { if case .writing = $0.key { true } else { false } }?.value
    }
}
