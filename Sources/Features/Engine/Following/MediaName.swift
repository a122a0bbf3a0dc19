import FileOutput

/// A file of the followed engine that this one may fetch: its kind, and its name directly in the folder of that kind.
struct MediaName: Hashable, Sendable {
    let kind: ClientFiles.Kind
    let name: String

    /// The file that a path of another engine names, which ends with the name of the kind and that of the file.
    /// - Returns: nil for a path that is not absolute, or not directly in a folder of that kind.
    init?(path: String, _ kind: ClientFiles.Kind) {
        guard path.hasPrefix("/"), FilePlace.name(of: FilePlace.folder(of: path)) == kind.rawValue else { return nil }
        self.init(kind: kind, name: FilePlace.name(of: path))
    }

    init(kind: ClientFiles.Kind, name: String) { (self.kind, self.name) = (kind, name) }

    /// Kind and name of the file, for messages.
    var words: String {
        switch kind {
        case .recordings: "the recording \(name)"
        case .sounds: "the sound \(name)"
        case .responses: "the impulse response \(name)"
        default: name
        }
    }
}
