import ArgumentParser

/// Sessions and autosave.
struct SessionOptions: ParsableArguments {
    @Option(help: "Folder of the sessions that clients load and save by name (default: $XDG_DATA_HOME/vestibule/sessions).")
    var sessions: String?

    @Option(help: "Seconds between automatic saves of unsaved changes, in a file beside the session's own; 0 turns them off.")
    var autosave = 5.0

    @Flag(inversion: .prefixedNo, help: "Recover unsaved changes of a run that did not end cleanly.")
    var recover = true

    func validate() throws {
        guard autosave == 0 || (0.1...3600).contains(autosave) else {
            throw ValidationError("--autosave \(autosave): give 0.1 to 3600 seconds, or 0 to turn it off.")
        }
    }
}
