/// The session: its recording, its file, and undo.
///
/// Sessions are named after files in the session folder; no client reaches a file elsewhere.
public enum SessionParameter: Int, ParameterGroup {
    case name, changed, recent, save, saveAs, load, rename, duplicate, delete, revert, compare, difference, undo, redo, undoWords, redoWords
    case recording, recordMotion, endMotion, motion, gesture

    public static let container = "/session"
    public static let summary = "The session: its recording, its file, undo and redo."
    public static var topic: Topic? { .session }
    /// Longest crossfade to a recording, seconds.
    public static let longestCrossfade = 60

    public var spec: ParameterSpec {
        switch self {
        case .undo: .impulse("Undo", "Reverts the last change of any client.", role: .undo)
        case .redo: .impulse("Redo", "Applies the last reverted change again.", role: .redo)
        case .undoWords:
            .text("Next undo", "Description of the change that undo would revert; empty for none.", access: .read, role: .undoWords)
        case .redoWords:
            .text("Next redo", "Description of the change that redo would apply; empty for none.", access: .read, role: .redoWords)
        case .gesture:
            .toggle(
                "Gesture",
                "True before the first change of a drag, false after the last: all changes that the sender makes in between are one step "
                    + "of undo. It also ends after a minute without a change, and with the connection.", access: .write, role: .gesture)
        case .recording:
            .text(
                "Recording",
                "Name of the recording in the recordings folder: a sound file, or a folder of mono files. A second argument is the "
                    + "duration of a crossfade from the current recording, at most \(Self.longestCrossfade) s.", role: .recording
            ).kept(.field).numbered
        case .recordMotion:
            .text(
                "Record motion",
                "Name of a new file in the motion folder for the head motion as rendered; further listeners get their own files beside it.",
                access: .write)
        case .endMotion: .impulse("Stop recording motion", "Completes the file of the head motion.")
        case .motion: .text("Motion", "Path of the file that is being recorded; empty for none.", access: .read)
        default: fileSpec
        }
    }

    private var fileSpec: ParameterSpec {
        switch self {
        case .name: .text("Session", "Name of the session; empty until it is saved.", access: .read, role: .sessionName)
        case .changed:
            .toggle("Changed", "Whether the session differs from its file.", access: .read, role: .sessionChanged)
        case .recent:
            .text(
                "Sessions", "Names of the sessions in the session folder, one per line, the last used first.", access: .read,
                role: .sessionRecent)
        case .save: .impulse("Save session", "Writes the session to its file.", role: .sessionSave)
        case .saveAs:
            .text(
                "Save session as",
                "Saves under this name; a second argument, true, replaces an existing session, which goes to the trash.", access: .write,
                role: .sessionSaveAs
            ).confirmable
        case .load: .text("Load session", "Name of a session in the session folder.", access: .write, role: .sessionLoad)
        case .rename:
            .text(
                "Rename session",
                "Name of a saved session that is not open, and its new name; a further argument, true, replaces a session of that name, "
                    + "which goes to the trash.", access: .write, role: .sessionRename
            ).paired.confirmable
        case .duplicate:
            .text(
                "Duplicate session",
                "Name of a saved session, and the name of its copy; a further argument, true, replaces a session of that name, which goes "
                    + "to the trash.", access: .write, role: .sessionDuplicate
            ).paired.confirmable
        case .delete:
            .text(
                "Delete session", "Name of a session in the session folder, which goes to the trash.", access: .write, role: .sessionDelete)
        case .revert:
            .impulse(
                "Revert session", "Loads the most recently loaded or saved file; without one, restores the initial state.",
                role: .sessionRevert)
        case .compare:
            .text(
                "Compare session",
                "Compares the current state with the session of this name; an empty name compares with what revert would load.",
                access: .write, role: .sessionCompare)
        default:
            .text(
                "Difference", "Name of the compared session, followed by the changes that loading it would make, one per line.",
                access: .read, role: .sessionDifference)
        }
    }
}
