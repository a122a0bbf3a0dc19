/// What is loaded, the file that remembers it, and the way back.
///
/// Sessions are called by names, those of files in the session folder; no client reaches a file elsewhere.
public enum SessionParameter: Int, ParameterGroup {
    case name, changed, recent, save, saveAs, load, revert, compare, difference, undo, redo, undoWords, redoWords
    case recording, recordMotion, endMotion, motion

    public static let container = "/session"
    public static let summary = "What is loaded, the file that remembers it, and the way back."
    public static var topic: Topic? { .session }

    public var spec: ParameterSpec {
        switch self {
        case .undo: .impulse("Undo", "Takes back the last change, whoever made it.", role: .undo)
        case .redo: .impulse("Redo", "Makes again what was taken back.", role: .redo)
        case .undoWords:
            .text("Undo what", "What would be taken back, in words; empty for nothing.", access: .read, role: .undoWords)
        case .redoWords:
            .text("Redo what", "What would be made again, in words; empty for nothing.", access: .read, role: .redoWords)
        case .recording:
            .text("Recording", "Path of the recording: a file, or a folder of mono files.", role: .recording)
        case .recordMotion:
            .text("Record motion", "Path of a file for the heads as they are rendered; more listeners get files beside it.", access: .write)
        case .endMotion: .impulse("End motion", "Completes the file that is being recorded.")
        case .motion: .text("Motion", "The file that is being recorded; empty for none.", access: .read)
        default: fileSpec
        }
    }

    private var fileSpec: ParameterSpec {
        switch self {
        case .name: .text("Session", "Its name; empty as long as it has none.", access: .read, role: .sessionName)
        case .changed:
            .toggle("Changed", "Whether something differs from the file.", access: .read, role: .sessionChanged)
        case .recent:
            .text("Sessions", "Names of all in the session folder, one a line, the last used first.", access: .read, role: .sessionRecent)
        case .save: .impulse("Save session", "Writes the file of this name again.", role: .sessionSave)
        case .saveAs: .text("Save session as", "A name; a session that has it already is replaced.", access: .write, role: .sessionSaveAs)
        case .load: .text("Load session", "Name of a session in the session folder.", access: .write, role: .sessionLoad)
        case .revert: .impulse("Revert session", "Loads the file again that was loaded or saved last.", role: .sessionRevert)
        case .compare:
            .text(
                "Compare session", "Name of a session: what would change by loading it is told; empty for what reverting would.",
                access: .write, role: .sessionCompare)
        default:
            .text(
                "Difference", "The name that was asked for, then what would change, one a line.", access: .read,
                role: .sessionDifference)
        }
    }
}
