import Hub
import Media
import Parameters
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
