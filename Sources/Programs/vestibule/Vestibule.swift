import ArgumentParser
import Foundation
import Hub

@main
struct Vestibule: ParsableCommand {
    /// The newest release in CHANGELOG.md.
    static let version = "0.2.0"

    static let configuration = CommandConfiguration(
        commandName: "vestibule",
        abstract: "Motion-tracked binaural engine with a network control and telemetry hub.",
        version: version,
        subcommands: [
            ServeCommand.self, RenderCommand.self, SynthCommand.self, EncodeCommand.self, PackageCommand.self, ProcessCommand.self,
            EvaluateCommand.self, EvaluateTrackingCommand.self, RoomCommand.self, MeasureCommand.self, TrackersCommand.self,
            DevicesCommand.self, MIDICommand.self, PairingCommand.self, SessionCommand.self, TakeCommand.self,
            ArchiveCommand.self, CheckCommand.self, JoinCommand.self, ListeningTestCommand.self, BenchCommand.self,
        ])

    /// Runs the command. Options that are wrong are answered with the reason and the way to the help, without the long usage line. Errors
    /// may name files: what a terminal would not show as it is, is written as an escape.
    static func main() {
        ProcessSetup.run()
        var name = "vestibule"
        do {
            var command = try parseAsRoot(CommandLineWords.joined(Array(CommandLine.arguments.dropFirst())))
            name = Self.path(to: type(of: command), from: self)?.joined(separator: " ") ?? name
            try command.run()
        } catch {
            let code = exitCode(for: error)
            guard code != .success else { exit(withError: error) }
            for line in fullMessage(for: error).split(separator: "\n") where code != .validationFailure || !line.hasPrefix("Usage: ") {
                // The parser knows the command of its own errors only.
                let line = line.replacingOccurrences(of: "'vestibule --help'", with: "'\(name) --help'")
                FileHandle.standardError.write(Data("\(LogText.escaped(line))\n".utf8))
            }
            exit(withError: code)
        }
    }

    /// Words that run a command, beginning with those of `start`; nil when it is not among these and their subcommands.
    private static func path(to command: any ParsableCommand.Type, from start: any ParsableCommand.Type) -> [String]? {
        if command == start { return [start._commandName] }
        return start.configuration.subcommands.lazy.compactMap { path(to: command, from: $0) }.first.map { [start._commandName] + $0 }
    }
}

/// The words of the command line.
enum CommandLineWords {
    /// Returns the words with every negative number joined to the long option before it: `--yaw -20` becomes `--yaw=-20`, because the
    /// parser takes a word with a dash for an option, and no option is a number. Nothing after `--` is changed.
    static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        for (place, word) in words.enumerated() {
            if let option = joined.last, isNegativeNumber(word), isOption(option), !words[..<place].contains("--") {
                joined[joined.count - 1] = "\(option)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("--") && word.count > 2 && !word.contains("=") }

    /// Whether a word begins as a negative number does; `-30,0,2` is a list of numbers.
    private static func isNegativeNumber(_ word: String) -> Bool {
        guard word.hasPrefix("-"), Double(word) == nil else { return word.hasPrefix("-") }
        let digits = word.dropFirst().drop { $0 == "." || $0 == "," }
        return word.count - digits.count <= 2 && digits.first?.isWholeNumber ?? false
    }
}
