import Hub
import Media
import Parameters
import Pose
import Rack
import Session

/// A file that a client's message needs, or writes.
package enum FileRequest: Hashable, Sendable {
    case recording(String)
    /// A session that is to be compared with the current state.
    case session(String)
    /// A session that is to be loaded, with everything that it names.
    case loadedSession(String)
    /// A rack that is to be loaded, with the impulse responses that it names.
    case rack(String)
    case response(String)
    /// A 360-degree video.
    case video(String)
    /// A SOFA file; empty for that of libmysofa.
    case head(String)
    /// A sound of the library, by name.
    case sound(String)
    /// A description of a room.
    case room(String)
    /// A file that is written.
    case writing(FileWriting)

    /// The path that it names; nil for a sound, whose name is looked up, for the HRTF of libmysofa, and for files that are written.
    var path: String? {
        switch self {
        case .recording(let path), .session(let path), .loadedSession(let path), .rack(let path), .response(let path), .video(let path),
            .room(let path):
            path
        case .head(let path): path.isEmpty ? nil : path
        case .sound, .writing: nil
        }
    }

    /// The impulse responses of both sides of a rack.
    static func responses(_ rack: RackDescription) -> [FileRequest] {
        rack.allSlots.compactMap(ResponseLibrary.path).map { .response($0) }
    }

    /// All files that a session or a scene names.
    /// - Parameter present: path of the recording that is already loaded.
    static func all(_ snapshot: Snapshot, recording: String?, beside present: String, _ tree: ParameterTree) -> [FileRequest] {
        let settings = snapshot.parameters.compactMap { address, arguments -> FileRequest? in
            guard case .string(let text) = arguments.first else { return nil }
            return setting(address, text, tree)
        }
        let racks = snapshot.racks.values.flatMap { responses($0) }
        let recordings = recording.flatMap { $0 == present || $0.isEmpty ? nil : FileRequest.recording($0) }
        return [recordings].compactMap { $0 } + settings + racks
    }

    /// The file that a parameter's value names; nil for none.
    static func setting(_ address: String, _ text: String, _ tree: ParameterTree) -> FileRequest? {
        guard !text.isEmpty, let index = tree.declaredIndex(at: address) else { return nil }
        if index == tree.index(SessionParameter.recording) { return .recording(text) }
        if index == tree.index(VideoParameter.file) { return RecordingVideo.isAddress(text) ? nil : .video(text) }
        if let listener = tree.listener(ofParameter: index), index == tree.index(ListenerParameter.hrtf, listener) { return .head(text) }
        if let object = tree.object(ofParameter: index), index == tree.index(ObjectParameter.source, object) { return sound(of: text) }
        return nil
    }

    /// The sound that an object's source names; nil for live input, for cameras and for none.
    static func sound(of source: String) -> FileRequest? {
        source.isEmpty || source.hasPrefix("input ") || source.hasPrefix(ObjectCameras.prefix) ? nil : .sound(source)
    }
}

/// The writing of a file for a client's message, on a thread that may wait.
package final class FileWriting: Hashable, Sendable {
    private let body: @Sendable () throws -> ReadFiles.Contents

    /// - Parameter body: writes the file, and returns what the handler needs of it.
    init(_ body: @escaping @Sendable () throws -> ReadFiles.Contents) { self.body = body }

    func contents() throws -> ReadFiles.Contents { try body() }

    package static func == (one: FileWriting, other: FileWriting) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Message {
    /// Whether an argument after the names confirms that an existing file is replaced.
    var isConfirmed: Bool { arguments.count > 1 && arguments.last?.number.map { $0 != 0 } ?? false }
}

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

/// An opened recording whose feeds the renderer has not admitted yet.
package struct OpenedRecording: Sendable {
    let player: RecordingPlayer
    /// Number by which its feeds are admitted.
    let ticket: Int
}
