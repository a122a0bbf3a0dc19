/// The edit of the message that is being handled, and whether anything that sessions keep has changed.
///
/// Handlers reach it through the hub: every value that they publish is part of the edit of the message being handled.
struct EditRecorder {
    /// Nil while no client's message is handled.
    var edit: Edit?
    /// Whether something that sessions keep has changed since this was last set to false.
    var isTouched = false

    /// - Returns: the finished edit; nil when the message changed nothing.
    mutating func close() -> Edit? {
        defer { edit = nil }
        guard let edit, edit.isMarked || !edit.changes.isEmpty else { return nil }
        return edit
    }
}
