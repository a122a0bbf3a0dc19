import ArgumentParser
import Foundation

/// Sessions, autosave, and the files that clients may name.
struct SessionOptions: ParsableArguments {
    @Option(help: "Folder of the sessions that clients load and save by name (default: $XDG_DATA_HOME/vestibule/sessions).")
    var sessions: String?

    @Option(help: "Folder of the takes that clients record (default: $XDG_DATA_HOME/vestibule/takes).")
    var takes: String?

    @Option(
        help: """
            Folder of recordings packed by “vestibule package”; phones and browsers render and play them at /listen.
            """)
    var packages: String?

    @Option(help: "Seconds between automatic saves of unsaved changes, in a file beside the session's own; 0 turns them off.")
    var autosave = 5.0

    @Flag(inversion: .prefixedNo, help: "Recover the unsaved changes of the last run.")
    var recover = true

    @Option(
        name: .customLong("allow-path"),
        help: """
            Folder whose files clients may name by their path, to read and to write new ones. Repeatable. Otherwise they name files in \
            the program's own folders (default: $XDG_DATA_HOME/vestibule/recordings, responses, …).
            """)
    var allowPath: [String] = []

    func validate() throws {
        try ExistingFolders.check(allowPath, "--allow-path")
        if let packages { try ExistingFolders.check([packages], "--packages") }
        guard autosave == 0 || (0.1...3600).contains(autosave) else {
            throw ValidationError("--autosave \(autosave): give 0.1 to 3600 seconds, or 0 to turn it off.")
        }
    }
}
