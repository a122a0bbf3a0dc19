import ArgumentParser
import Binaural
import FileOutput
import Foundation
import Hub
import Parameters
import Session

/// `vestibule session`: session files, without an engine.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "List, compare, migrate, delete and restore sessions.",
        subcommands: [List.self, Difference.self, Migrate.self, Delete.self, Trash.self, Restore.self])

    /// Every parameter that a session may have set.
    private static let tree = ParameterTree(
        ofAnySession: InterpolationMethod.allCases.map(\.name), formerMethods: InterpolationMethod.formerNames,
        method: InterpolationMethod.standard.name)

    struct Folder: ParsableArguments {
        @Option(help: "Folder of the sessions that are called by name (default: $XDG_DATA_HOME/vestibule/sessions).")
        var sessions: String?

        var folder: SessionFolder { SessionFolder(folder: sessions ?? SessionFolder.standardFolder) }

        /// - Parameter text: the path of a file, or the name of a session.
        func read(_ text: String) throws -> (path: String, session: SessionFile) {
            let path = try folder.path(orName: text)
            return (path, try SessionFile.read(path, SessionCommand.tree))
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all sessions, the most recently used first.")
        @OptionGroup var place: Folder

        func run() { list(place.folder.names, ifEmpty: "No sessions. The panel and /session/save-as save the first one.") }
    }

    struct Difference: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff", abstract: "Show the changes from one session to another.",
            discussion: "The exit status is 0 when the sessions are equal, 1 when they differ, and 2 when one of them cannot be read.")

        @ArgumentParser.Argument(help: "Session to start from: a name, or the path of a file.")
        var old: String

        @ArgumentParser.Argument(help: "Session to compare with.")
        var new: String

        @OptionGroup var place: Folder

        func run() throws {
            let sessions: (before: SessionFile, after: SessionFile)
            do { sessions = (try place.read(old).session, try place.read(new).session) } catch {
                FileHandle.standardError.write(Data("Error: \(LogText.escaped("\(error)"))\n".utf8))
                throw ExitCode(2)
            }
            let lines = SessionDifference.lines(from: sessions.before, to: sessions.after, SessionCommand.tree)
            list(lines, ifEmpty: "The sessions are equal.")
            if !lines.isEmpty { throw ExitCode(1) }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete sessions: their files go to the trash.")

        @ArgumentParser.Argument(help: "Names of sessions.")
        var names: [String]

        @OptionGroup var place: Folder

        func run() throws { for name in names { try SessionTrash(place.folder).take(place.folder.path(name)) } }
    }

    struct Trash: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the sessions that were deleted or replaced, the latest first: NAME~TIME.")

        @OptionGroup var place: Folder

        func run() { list(SessionTrash(place.folder).names, ifEmpty: "The trash is empty.") }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Restore sessions from the trash.")

        @ArgumentParser.Argument(help: "Sessions as `vestibule session trash` lists them.")
        var names: [String]

        @OptionGroup var place: Folder

        func run() throws { for name in names { print(LogText.escaped(try SessionTrash(place.folder).restore(name))) } }
    }

    struct Migrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rewrite sessions of older versions in the current format. Unknown fields are kept.",
            discussion: "Requires --overwrite. The former file goes to the folder .trash beside it.")

        @Flag(help: "Replace the files.")
        var overwrite = false

        @ArgumentParser.Argument(help: "Sessions: names, or paths of files.")
        var files: [String]

        @OptionGroup var place: Folder

        func run() throws {
            for file in files {
                let (path, session) = try place.read(file)
                guard overwrite else { throw OutputError(path, .isInput, "it is the file that is read; rewrite it with --overwrite") }
                try SessionTrash(SessionFolder(folder: FilePlace.folder(of: path))).keep(path)
                try session.write(path)
                print("\(LogText.escaped(path)): version \(SessionFile.version)")
            }
        }
    }
}

/// Prints lines, with escapes for what a terminal would not show as it is; when there are none, prints a message to the standard error,
/// which programs that read the lines do not see.
private func list(_ lines: [String], ifEmpty nothing: String) {
    for line in lines { print(LogText.escaped(line)) }
    if lines.isEmpty { FileHandle.standardError.write(Data("\(nothing)\n".utf8)) }
}
