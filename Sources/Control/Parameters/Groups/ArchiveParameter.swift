/// Archives of all files of an installation.
public enum ArchiveParameter: Int, ParameterGroup {
    case export, `import`, cancel, state

    public static let container = "/media/archive"
    public static let summary = "Archives: all files of this engine in one file, to keep or to bring to another engine."
    public static var topic: Topic? { .library }

    public var spec: ParameterSpec {
        switch self {
        case .export:
            .text(
                "Export archive",
                "Kinds of files, separated by spaces, such as \"sessions recordings\"; empty for all but takes, tests and results. The "
                    + "state names the archive when it is complete.", access: .write, role: .archiveExport)
        case .import:
            .text(
                "Import archive",
                "Imports the uploaded archive with this name (kind archives). All of its files are added, or none; nothing is replaced.",
                access: .write, role: .archiveImport)
        case .cancel:
            .impulse(
                "Cancel archive", "Cancels the running export or import; the state shows whether it was complete by then.",
                role: .archiveCancel)
        case .state:
            .text(
                "Archive state",
                "JSON: phase (exporting, exported, importing, imported, cancelled or failed), share, name, size, reason and report; empty "
                    + "before the first.", access: .read, role: .archiveState)
        }
    }
}
