import ArgumentParser
import Foundation
import Parameters
import Render
import Session

/// `vestibule session`: what lies in session files, without an engine.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Lists sessions, says what differs between two, brings old ones up to date.",
        subcommands: [List.self, Difference.self, Migrate.self])

    /// Of a program with as much as any has.
    private static let tree = ParameterTree(listeners: 64, trackers: 16)

    struct Place: ParsableArguments {
        @Option(help: "Folder of the sessions that are called by name (default: $XDG_DATA_HOME/vestibule/sessions).")
        var sessions: String?

        var shelf: SessionShelf { SessionShelf(folder: sessions ?? SessionShelf.standardFolder) }

        /// A path as it is, or the session of that name.
        func read(_ text: String) throws -> (path: String, session: SessionFile) {
            let isPath = text.contains("/") || FileManager.default.fileExists(atPath: text)
            let path = isPath ? URL(filePath: text).standardizedFileURL.path : try shelf.path(text)
            return (path, try SessionFile.read(path, SessionCommand.tree))
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Names of all sessions, the last used first.")
        @OptionGroup var place: Place

        func run() { for name in place.shelf.names { print(name) } }
    }

    struct Difference: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff", abstract: "What changes from one session to another.",
            discussion: "The status is 0 when they say the same, and 1 when something differs.")

        @ArgumentParser.Argument(help: "A session: a name, or the path of a file.")
        var old: String

        @ArgumentParser.Argument(help: "Another one.")
        var new: String

        @OptionGroup var place: Place

        func run() throws {
            let lines = try SessionDifference.lines(from: place.read(old).session, to: place.read(new).session, SessionCommand.tree)
            for line in lines { print(line) }
            if !lines.isEmpty { throw ExitCode(1) }
        }
    }

    struct Migrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes sessions of former versions in the present form; what is not known is kept.")

        @ArgumentParser.Argument(help: "Sessions: names, or paths of files.")
        var files: [String]

        @OptionGroup var place: Place

        func run() throws {
            for file in files {
                let (path, session) = try place.read(file)
                try session.write(path)
                print("\(path): version \(SessionFile.version)")
            }
        }
    }
}
