import ArgumentParser
import Engine
import FileOutput
import Foundation
import Hub

/// `vestibule take`: takes in their folder, without an engine.
struct TakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "List takes, and check that they are complete.", subcommands: [List.self, Check.self])

    struct Folder: ParsableArguments {
        @Option(help: "Folder of the takes that are called by name (default: $XDG_DATA_HOME/vestibule/takes).")
        var takes: String?

        var folder: TakeFolder { TakeFolder(takes ?? ClientFiles().folder(.takes)) }

        /// The paths of the takes that a text means: the name of a take, the path of one, or that of a folder of takes.
        func paths(_ text: String) throws -> [String] {
            let isPath = text.contains("/") || FilePlace.isThere(text)
            let path = isPath ? URL(filePath: text).standardizedFileURL.path : folder.path + "/" + text
            guard FilePlace.isThere(path) else {
                throw ValidationError(
                    isPath
                        ? "There is no folder \(path). Name a take, or a folder of takes."
                        : "There is no take \(text) in \(folder.path). `vestibule take list` lists them, and --takes names another folder.")
            }
            let inside = TakeRendering.isTake(path) ? [] : TakeFolder(path).names
            // An empty folder has no takes; any other folder without takes is treated as a damaged take.
            if (try? FileManager.default.contentsOfDirectory(atPath: FilePlace.equivalent(path)))?.isEmpty == true { return [] }
            return inside.isEmpty ? [path] : inside.map { path + "/" + $0 }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List all takes, the latest first: name, state, length, sources, size, and sound that was lost.",
            discussion: "A take without an end is being recorded, or the program was interrupted; its files can be read nevertheless.")

        @OptionGroup var place: Folder

        func run() {
            let takes = TakeList(place.folder, current: nil).takes
            let width = takes.map(\.name.count).max() ?? 0
            for take in takes { print(LogText.escaped(line(take, width: width))) }
            guard takes.isEmpty else { return }
            FileHandle.standardError.write(Data("No takes in \(place.folder.path). The panel and /take/start record the first one.\n".utf8))
        }

        private func line(_ take: TakeList.Entry, width: Int) -> String {
            let state = take.state == "interrupted" ? "without end" : take.state
            let tenths = Int(clamping: (take.seconds * 10).rounded())
            let length = String(format: "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10)
            let columns = [
                take.name.padding(toLength: width, withPad: " ", startingAt: 0), state.padding(toLength: 11, withPad: " ", startingAt: 0),
                String(repeating: " ", count: max(0, 7 - length.count)) + length, sources(take),
                String(format: "%.1f MB", Double(take.size) / 1e6), lost(take),
            ]
            return columns.filter { !$0.isEmpty }.joined(separator: "  ")
        }

        private func sources(_ take: TakeList.Entry) -> String {
            let ears = take.files.compactMap(\.listener).sorted().map(String.init)
            let others = take.files.compactMap { file in
                switch file.source {
                case "array": "array (\(file.channels ?? 0))"
                case "input": "input"
                case "processed-input": "input after rack"
                default: nil
                }
            }
            return ((ears.isEmpty ? [] : ["ears " + ears.joined(separator: " ")]) + others).joined(separator: ", ")
        }

        private func lost(_ take: TakeList.Entry) -> String {
            take.gaps.isEmpty ? "" : "lost \(String(format: "%.3f", take.lost)) s in \(counted(take.gaps.count, "gap"))"
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that takes are complete: that their files are there, can be read, and agree.",
            discussion: """
                All files of a take are opened, and their lengths, channels and rates compared with take.json. Everything that a take \
                lacks is listed in one line, such as what is missing after a crash; then the exit status is 1.
                """)

        @ArgumentParser.Argument(help: "Takes: names, paths, or folders of takes (default: all takes).")
        var takes: [String] = []

        @OptionGroup var place: Folder

        func run() throws {
            let paths = try takes.isEmpty ? place.folder.names.map { place.folder.path + "/" + $0 } : takes.flatMap(place.paths)
            if paths.isEmpty {
                let folder = takes.isEmpty ? place.folder.path : takes.joined(separator: ", ")
                FileHandle.standardError.write(
                    Data("No takes in \(folder). The panel and /take/start record the first one.\n".utf8))
            }
            var isComplete = true
            for path in paths {
                let check = TakeCheck(path)
                let name = LogText.escaped(URL(filePath: path).lastPathComponent)
                let seconds = String(format: "%.3f s", check.seconds)
                print(check.faults.isEmpty ? "\(name): complete, \(seconds)" : "\(name): not complete, \(seconds) can be used")
                for fault in check.faults { FileHandle.standardError.write(Data("Error: \(name): \(fault)\n".utf8)) }
                isComplete = isComplete && check.faults.isEmpty
            }
            if !isComplete { throw ExitCode(1) }
        }
    }
}
