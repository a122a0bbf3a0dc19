import ArgumentParser
import Binaural
import Foundation
import Parameters
import Session

/// `vestibule session`: session files, without an engine.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "List sessions, compare two, or migrate old ones.",
        subcommands: [List.self, Difference.self, Migrate.self])

    /// Every parameter that a session may have set.
    private static let tree = ParameterTree(ofAnySession: InterpolationMethod.allCases.map(\.name))

    struct Folder: ParsableArguments {
        @Option(help: "Folder of the sessions that are called by name (default: $XDG_DATA_HOME/vestibule/sessions).")
        var sessions: String?

        var folder: SessionFolder { SessionFolder(folder: sessions ?? SessionFolder.standardFolder) }

        /// - Parameter text: the path of a file, or the name of a session.
        func read(_ text: String) throws -> (path: String, session: SessionFile) {
            let isPath = text.contains("/") || FileManager.default.fileExists(atPath: text)
            let path = isPath ? URL(filePath: text).standardizedFileURL.path : try folder.path(text)
            return (path, try SessionFile.read(path, SessionCommand.tree))
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all sessions, the most recently used first.")
        @OptionGroup var place: Folder

        func run() { for name in place.folder.names { print(name) } }
    }

    struct Difference: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff", abstract: "Show the changes from one session to another.",
            discussion: "The exit status is 0 when the sessions are equal, and 1 when they differ.")

        @ArgumentParser.Argument(help: "Session to start from: a name, or the path of a file.")
        var old: String

        @ArgumentParser.Argument(help: "Session to compare with.")
        var new: String

        @OptionGroup var place: Folder

        func run() throws {
            let lines = try SessionDifference.lines(from: place.read(old).session, to: place.read(new).session, SessionCommand.tree)
            for line in lines { print(line) }
            if !lines.isEmpty { throw ExitCode(1) }
        }
    }

    struct Migrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rewrite sessions of older versions in the present format. Unknown fields are kept.")

        @ArgumentParser.Argument(help: "Sessions: names, or paths of files.")
        var files: [String]

        @OptionGroup var place: Folder

        func run() throws {
            for file in files {
                let (path, session) = try place.read(file)
                try session.write(path)
                print("\(path): version \(SessionFile.version)")
            }
        }
    }
}
