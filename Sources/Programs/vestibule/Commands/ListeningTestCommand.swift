import ArgumentParser
import Engine
import Files
import Foundation
import ListeningTest
import Media

/// `vestibule listening-test`: definitions of listening tests, without an engine.
struct ListeningTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listening-test", abstract: "Check definitions of listening tests.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a definition, and the recordings that it names.",
            discussion: "Errors name the line, the field, what was found and what is expected. The exit status is 1 when there are any.")

        @ArgumentParser.Argument(help: "Definition of a listening test, in JSON.")
        var file: String

        @Option(help: "Folder of the recordings that are named without a path (default: $XDG_DATA_HOME/vestibule/recordings).")
        var recordings: String?

        func run() throws {
            let definition = try TestDefinition(json: RegularFile.text(file), name: file)
            let folder = recordings ?? UserFolder.data + "/recordings"
            let faults = definition.passages.enumerated().compactMap { place, passage in
                fault(passage, in: folder).map { "\(file): \"passages\", entry \(place + 1), \($0)" }
            }
            guard faults.isEmpty else {
                FileHandle.standardError.write(Data(faults.map { "Error: \($0)\n" }.joined().utf8))
                throw ExitCode(1)
            }
            let trials = definition.passages.count * definition.repetitions
            let sounds = definition.kind == .mushra ? ", " + counted(definition.stimuli.count, "sound") + " each" : ""
            print(
                "\(definition.title): \(definition.kind.rawValue), \(counted(trials, "trial"))\(sounds), "
                    + "\(counted(definition.passages.count, "passage"))\(definition.training == nil ? "" : ", one of them for training")")
        }

        /// The reason why a passage cannot be played.
        private func fault(_ passage: TestDefinition.Passage, in folder: String) -> String? {
            let path = passage.recording.hasPrefix("/") ? passage.recording : folder + "/" + passage.recording
            do throws(MediaError) {
                let reader = try RecordingReader(path: path)
                warnOnce(reader.warnings)
                let length = Double(reader.frames) / reader.rate
                let end = passage.to ?? length
                guard end <= length else {
                    return "\"to\" is \(end) s, but \(path) lasts \(length) s; name an earlier end, or leave \"to\" out"
                }
                let limits = TestDefinition.passageSeconds
                guard limits.contains(end - passage.from) else {
                    return "\"from\" and \"to\" leave \(end - passage.from) s of \(path), which lasts \(length) s; "
                        + "a passage has \(limits.lowerBound) to \(limits.upperBound) s"
                }
                return nil
            } catch { return "\"recording\": \(error)" }
        }
    }
}
