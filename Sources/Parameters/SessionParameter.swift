/// What is loaded, and the file that remembers it.
public enum SessionParameter: Int, ParameterGroup {
    case load, save, recording

    public static let container = "/session"
    public static let summary = "What is loaded, and the file that remembers it."

    public var spec: ParameterSpec {
        switch self {
        case .load: .text("Load session", "Path of a session file to load.", access: .write)
        case .save: .text("Save session", "Path to save the session to.", access: .write)
        case .recording:
            .text("Recording", "Path of the recording: a file, or a folder of mono files.", role: .recording)
        }
    }
}
