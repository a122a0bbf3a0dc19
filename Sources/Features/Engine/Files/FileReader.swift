package import Media
package import Parameters
import Rack
import Session

/// Reads the files that messages need, and the files named in them. Used on threads that may wait.
package struct FileReader: Sendable {
    var tree: ParameterTree?
    var sounds: SoundLibrary?
    /// Whether clients may use the file at a path.
    var isAllowed: @Sendable (String) -> Bool = { _ in true }
    /// Opens a recording for the renderer.
    var open: (@Sendable (String) throws(MediaError) -> OpenedRecording)?

    package init(tree: ParameterTree? = nil, sounds: SoundLibrary? = nil) { (self.tree, self.sounds) = (tree, sounds) }

    /// - Parameters:
    ///   - recording: path of the recording that is already loaded.
    ///   - isWanted: returns whether to continue.
    func read(_ requests: [FileRequest], recording: String, isWanted: () -> Bool) -> ReadFiles {
        var files = ReadFiles()
        var waiting = requests
        while let request = waiting.popLast(), isWanted() {
            guard files.results[request] == nil else { continue }
            let result = Result { try contents(request) }
            files.results[request] = result
            if case .success(let contents) = result { waiting += named(by: contents, of: request, recording: recording) }
        }
        return files
    }

    func contents(_ request: FileRequest) throws -> ReadFiles.Contents {
        switch request {
        case .recording(let path):
            guard let open else { throw RequestError("\(path): recordings cannot be opened here") }
            return .recording(try open(path))
        case .session(let path), .loadedSession(let path):
            guard let tree else { throw RequestError("\(path): sessions cannot be read here") }
            return .session(try SessionFile.read(path, tree))
        case .rack(let path): return .rack(try RackFile.read(path))
        case .response(let path):
            try ImpulseResponse.check(path: path)
            return .usable(path)
        case .video(let path): return .video(try VideoFacts(path: path))
        case .room(let path): return .room(try RoomFile(path: path))
        case .head(let path): return .usable(try SofaFile.resolved(path))
        case .sound(let name):
            guard let sounds else { throw RequestError("\(name): there are no sounds here") }
            let path = name.hasPrefix("/") ? name : try sounds.path(name)
            guard isAllowed(path) else {
                throw RequestError(
                    "\"\(name)\" is refused: it is in no folder that clients may use; name a sound in \(sounds.folder), or start with "
                        + "--allow-path and its folder")
            }
            try ObjectSoundFile.check(path: path)
            return .usable(path)
        case .writing(let writing): return try writing.contents()
        }
    }

    /// The files named in the contents, which must be usable as well. Files that clients may not use are left out.
    private func named(by contents: ReadFiles.Contents, of request: FileRequest, recording: String) -> [FileRequest] {
        all(contents, request, recording).filter { $0.path.map(isAllowed) ?? true }
    }

    private func all(_ contents: ReadFiles.Contents, _ request: FileRequest, _ recording: String) -> [FileRequest] {
        switch (request, contents) {
        case (.loadedSession, .session(let session)):
            tree.map { FileRequest.all(session.snapshot, recording: session.recording, beside: recording, $0) } ?? []
        case (.rack, .rack(let rack)): FileRequest.responses(rack)
        default: []
        }
    }
}
