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
                "Kinds of files with spaces between them, such as \"sessions recordings\"; empty for all but takes, tests and results. The "
                    + "state names the archive when it is complete.", access: .write, role: .archiveExport)
        case .import:
            .text(
                "Import archive",
                "Name of an archive that was sent (kind archives). Its files are added, all of them or none; nothing is replaced.",
                access: .write, role: .archiveImport)
        case .cancel:
            .impulse(
                "Cancel archive", "Ends the export or import that is under way; the state tells whether it was complete by then.",
                role: .archiveCancel)
        case .state:
            .text(
                "Archive state",
                "JSON: phase (exporting, exported, importing, imported, cancelled or failed), share, name, size, reason and report; empty "
                    + "before the first.", access: .read, role: .archiveState)
        }
    }
}
