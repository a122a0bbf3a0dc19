/// Places in which the program keeps a value, to bring it back later.
public enum Keeping: String, Sendable {
    /// Nowhere: reports, commands, and the current orientation of a head.
    case nothing = ""
    /// Undo and, in a separate field, the session file.
    case field = "session (own field)"
    /// Undo and sessions.
    case session = "session"
    /// Undo, sessions, and the scenes in them.
    case scene = "session, scenes"
}
