/// What is loaded, and the file that remembers it.
public enum SessionParameter: Int, ParameterGroup {
    case load, save, recording, recordMotion, endMotion, motion

    public static let container = "/session"
    public static let summary = "What is loaded, and the file that remembers it."
    public static var topic: Topic? { .session }

    public var spec: ParameterSpec {
        switch self {
        case .load: .text("Load session", "Path of a session file to load.", access: .write)
        case .save: .text("Save session", "Path to save the session to.", access: .write)
        case .recording:
            .text("Recording", "Path of the recording: a file, or a folder of mono files.", role: .recording)
        case .recordMotion:
            .text("Record motion", "Path of a file for the heads as they are rendered; more listeners get files beside it.", access: .write)
        case .endMotion: .impulse("End motion", "Completes the file that is being recorded.")
        case .motion: .text("Motion", "The file that is being recorded; empty for none.", access: .read)
        }
    }
}
