/// The memory that keeps a value beyond a run of the program.
public enum Keeping: String, Sendable {
    /// None: reports, commands, and where a head points at the moment.
    case nothing = ""
    /// Undo and, in a separate field, the session file.
    case field = "session (own field)"
    /// Undo and sessions.
    case session = "session"
    /// Undo, sessions, and the scenes in them.
    case scene = "session, scenes"
}
