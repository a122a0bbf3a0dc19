import ArgumentParser
import Media

/// `vestibule join`: mono files of microphones as one recording.
struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join mono files, one for each microphone, to one recording.",
        discussion:
            "The files become channels in the given order; `vestibule check` finds out whether it is the order of the ring."
    )

    @Argument(help: "Mono files of equal rate and length, 4 to 64.")
    var files: [String]

    @Option(help: "Recording to write: .wav, .rf64, .w64 or .caf.")
    var output: String

    @OptionGroup var outputs: OutputOptions

    func run() throws {
        let file = try outputs.open(output, inputs: files)
        try RecordingReader(files: files).warnings.forEach(warn)
        let progress = ProgressLine("Joining")
        _ = try RingCorrection.join(files, to: file) {
            progress.show($0)
            return true
        }
        progress.clear()
        print("\(output): \(counted(files.count, "microphone"))")
    }
}
