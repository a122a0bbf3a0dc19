import Archives
import ArgumentParser
import Engine
import FileOutput
import Foundation
import Hub

/// `vestibule archive`: all files of an installation as one file.
struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Export all files of an installation to one file, and import it elsewhere.",
        subcommands: [Export.self, Import.self])

    struct Folders: ParsableArguments {
        @Option(help: "Folder of the sessions (default: $XDG_DATA_HOME/vestibule/sessions).")
        var sessions: String?

        @Option(help: "Folder of the sounds (default: $XDG_DATA_HOME/vestibule/sounds).")
        var sounds: String?

        @Option(help: "Folder of the takes (default: $XDG_DATA_HOME/vestibule/takes).")
        var takes: String?

        var kinds: [ArchiveKind] {
            let own: [ClientFiles.Kind: String?] = [.sessions: sessions, .sounds: sounds, .takes: takes]
            return ClientFiles(own: own.compactMapValues(\.self)).archiveKinds
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write an archive.",
            discussion: """
                The archive has sessions, recordings with their sidecars and videos, sounds, impulse responses, HRTFs, presets, head \
                motion and rooms; with --with also takes, listening tests and their results. Tokens, certificates and settings of the \
                machine are never included. Unreadable files and symbolic links are skipped and listed.
                """)

        @Argument(help: "Archive to write: NAME.tar.zst, NAME.tar.gz or NAME.tar.")
        var file: String

        @Option(help: "Export only this kind of files, such as sessions or recordings. Repeatable.")
        var only: [String] = []

        @Option(name: .customLong("with"), help: "Also export this kind of files: takes, tests or results. Repeatable.")
        var further: [String] = []

        @OptionGroup var folders: Folders
        @OptionGroup var outputs: OutputOptions

        func validate() throws {
            guard ArchiveFormat(path: file) != nil else {
                let endings = ArchiveFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
                throw ValidationError("\(file): the name of an archive ends in \(endings).")
            }
            let names = folders.kinds.map(\.name)
            for (option, kinds) in [("--only", only), ("--with", further)] {
                for kind in kinds where !names.contains(kind) {
                    throw ValidationError(
                        "\(option) \(kind): there is no such kind of files. The kinds are \(names.joined(separator: ", ")).")
                }
            }
        }

        func run() throws {
            let kinds = folders.kinds.filter { further.contains($0.name) || (only.isEmpty ? $0.isStandard : only.contains($0.name)) }
            let output = try outputs.open(file, inputs: kinds.map(\.folder))
            let progress = ProgressLine("Exporting")
            let report = try ArchiveExport(kinds, program: Vestibule.version).write(to: output, ArchiveFormat(path: file) ?? .zstandard) {
                progress.show($0)
                return true
            }
            progress.clear()
            guard let report else { return }
            for each in report.leftOut { warn("\(each.file) is left out: \(each.reason)") }
            print("\(file): \(counted(report.files, "file")), \((Double(report.size) / 1e6).rounded(decimals: 1)) MB before compression")
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the files of an archive: all of them, or none.",
            discussion: """
                Everything is checked before the first file gets its name: names, sizes, SHA-256, and contents as those of uploads. \
                Nothing is replaced: files that are there already with the same contents are left out, and others of the same name get a \
                number (garden-2.wav). Sessions name the files by their new paths.
                """)

        @Argument(help: "Archive to read.")
        var file: String

        @OptionGroup var folders: Folders
        @OptionGroup var library: LibraryLimit

        func run() throws {
            let kinds = folders.kinds
            let progress = ProgressLine("Importing")
            let report: ImportReport?
            do {
                let room = library.limit.map { $0 - kinds.reduce(0) { $0 + $1.size } }
                report = try ArchiveImport(kinds) { bytes in room.flatMap { bytes > $0 ? $0 : nil } }.read(file) {
                    progress.show($0)
                    return true
                }
            } catch {
                progress.clear()
                throw ArchiveError("\(file) was not imported, and nothing was changed: \(error)")
            }
            progress.clear()
            guard let report else { return }
            for each in report.renamed { print(LogText.escaped("\(each.file) is \(each.name): another file has that name")) }
            for each in report.adapted { print(LogText.escaped("paths in \(each) were adapted to this installation")) }
            print("\(counted(report.added, "file")) added, \(counted(report.identical, "file")) there already")
        }
    }
}
