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
