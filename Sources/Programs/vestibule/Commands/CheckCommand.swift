import ArgumentParser
import Engine
import FileOutput
import Media

/// `vestibule check`: the order and polarity of the channels of a ring.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check by their sound whether a recording's channels are microphones, and their order and polarity.",
        discussion: """
            Below about 600 Hz a sound field varies slowly around a head, whatever its sources are. Channels that are exchanged or \
            inverted break that. At high frequencies no microphone is the sum of others: mixes and copies are. The check cannot detect a \
            ring that is rotated or mirrored as a whole. The exit status is 1 when something is wrong.
            """)

    @Argument(help: "Recording: a file of 4 to 64 channels, or a folder of mono files.")
    var recording: String

    @Option(help: "Write a copy with the channels corrected, and the positions of its microphones beside it: .wav, .rf64, .w64 or .caf.")
    var corrected: String?

    @OptionGroup var outputs: OutputOptions

    func run() throws {
        let output = try corrected.map { try outputs.open($0, inputs: [recording]) }
        try RecordingReader(path: recording).warnings.forEach(warn)
        let progress = ProgressLine("Checking")
        let finding = try RingFinding(path: recording) {
            progress.show($0)
            return true
        }
        progress.clear()
        guard let finding else { return }
        for line in Self.lines(finding) { print("\(recording): \(line)") }
        if let output {
            guard finding.isCorrectable else {
                throw ValidationError("--corrected \(output.path): there is nothing that can be corrected.")
            }
            try RingCopy.write(finding, of: recording, to: output)
            print("\(output.path): the corrected copy")
        }
        if finding.isCorrectable || finding.order == .ambiguous || !finding.excluded.isEmpty { throw ExitCode(1) }
    }

    /// The finding in sentences.
    private static func lines(_ finding: RingFinding) -> [String] {
        func list(_ channels: [Int]) -> String { channels.map(String.init).joined(separator: " ") }
        var lines: [String] = []
        let rest = finding.isJudged ? "the other channels are judged without it" : "the other channels cannot be judged"
        func found(_ what: String, _ channels: [Int]) {
            if !channels.isEmpty { lines.append("\(what): \(list(channels)); \(rest)") }
        }
        found("without sound", finding.silent)
        found("not connected, as the sound has nothing in common with the others", finding.unconnected)
        found("a mix of others, not a microphone", finding.mixes)
        for group in finding.copies { found("the same sound, all but one are copies", group) }
        if !finding.inverted.isEmpty {
            lines.append("inverted polarity: \(list(finding.inverted)) (least correlation \(finding.correlation))")
        }
        switch finding.order {
        case .right: lines.append("the order of the channels is right, unless the whole ring is turned or mirrored")
        case .wrong:
            lines.append("wrong order; right would be \(list(finding.channels ?? [])) (fits better by \(finding.margin) dB)")
        case .ambiguous:
            lines.append("wrong order (another fits better by \(finding.margin) dB), but several fit; record sound from several directions")
        case .unknown:
            if finding.excluded.isEmpty || finding.isJudged {
                lines.append("the order of the channels cannot be determined: too little low-frequency sound, or too much noise")
            }
        }
        return lines
    }
}
