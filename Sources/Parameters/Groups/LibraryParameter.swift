/// The media library: files in the program's own folders, and in further ones.
public enum LibraryParameter: Int, ParameterGroup {
    case changes, delete, about

    public static let container = "/media"
    public static let summary = "The media library: recordings, videos, sounds, responses, HRTFs, presets, sessions and takes."
    public static var topic: Topic? { .library }

    public var spec: ParameterSpec {
        switch self {
        case .changes:
            .counter(
                "Changes of the library", "Rises when a file was added, changed, removed or measured; /library lists them.",
                role: .libraryChanges)
        case .delete:
            .text(
                "Delete file", "Place and name of a file, such as recordings/concert.wav. It goes to the folder .trash beside it.",
                access: .write, role: .libraryDelete)
        case .about:
            .text(
                "Describe file",
                "JSON: file, and title, text, tags and cover (name of a picture that was sent); null removes one, others stay.",
                access: .write, role: .libraryAbout
            ).limited(to: 40_000)
        }
    }
}
