/// The media library: files in the program's own folders, and in further ones.
public enum LibraryParameter: Int, ParameterGroup {
    case changes, delete, emptyTrash, about, correct, join

    public static let container = "/media"
    public static let summary = "The media library: recordings, videos, sounds, responses, HRTFs, presets, sessions and takes."
    public static var topic: Topic? { .library }

    public var spec: ParameterSpec {
        switch self {
        case .changes:
            .counter(
                "Changes of the library", "Increases when a file was added, changed, removed or measured; /library lists them.",
                role: .libraryChanges)
        case .delete:
            .text(
                "Delete file", "Place and name of a file, such as recordings/concert.wav. It goes to the folder .trash beside it.",
                access: .write, role: .libraryDelete)
        case .emptyTrash:
            .impulse("Empty trash", "Permanently deletes the files in the library's trash, including takes.", role: .libraryEmptyTrash)
        case .correct:
            .text(
                "Correct recording",
                "Place and name of a recording whose channels are in a wrong order or inverted; the copy is NAME-corrected.wav.",
                access: .write, role: .libraryCorrect)
        case .join:
            .text(
                "Join mono files",
                "JSON: files (place and name of each microphone, in order) and name of the new recording.",
                access: .write, role: .libraryJoin
            ).limited(to: 20_000)
        case .about:
            .text(
                "Describe file",
                "JSON: file, and title, text, tags and cover (name of an uploaded picture), all optional; null removes a member.",
                access: .write, role: .libraryAbout
            ).limited(to: 40_000)
        }
    }
}
