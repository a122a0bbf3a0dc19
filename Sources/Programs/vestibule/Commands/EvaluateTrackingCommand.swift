import ArgumentParser
import Evaluation
import FileOutput
import Foundation
import Pose

/// `vestibule evaluate-tracking`: the benefit of prediction on recorded motion.
struct EvaluateTrackingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate-tracking",
        abstract: "Measure the error of the rendered head pose, with and without prediction, on recorded motion.",
        discussion: """
            Every pose goes through the code that serves live trackers, and is heard a fixed time after it was received. \
            Without a file, fourteen recordings are generated from published statistics of head movements and trackers; \
            their true head poses are known. A recorded file serves as its own reference, including its jitter.
            """)

    @ArgumentParser.Argument(help: "Motion files with the header \(MotionTrack.header): seconds, degrees.")
    var motion: [String] = []

    @Option(help: "Milliseconds from the receipt of a pose to the ear, 1 to 200.")
    var latency = 20.0

    @OptionGroup var random: SeedOption

    @Option(help: "CSV file to write the figures to.")
    var output: String?

    @OptionGroup var outputs: OutputOptions

    @Option(name: .customLong("write-set"), help: "Folder to write the generated recordings to, as motion files.")
    var writeSet: String?

    func validate() throws {
        guard latency.isFinite, (1...200).contains(latency) else {
            throw ValidationError("--latency \(latency): give 1 to 200 milliseconds.")
        }
    }

    func run() throws {
        let output = try output.map { try outputs.open($0, inputs: motion) }
        let recordings =
            motion.isEmpty
            ? TrackerRecording.shipped(seed: random.seed)
            : try motion.map { TrackerRecording(name: $0, track: try MotionTrack(path: $0)) }
        if let writeSet { try write(TrackerRecording.shipped(seed: random.seed), writeSet) }
        print("mean error in degrees, \(Self.short(latency)) ms from receipt to ear:")
        print(Self.row("recording", "rate", "without", "with", "ratio", "most without", "with"))
        var table = CSVTable([
            "recording", "poses", "rate", "latency", "held_mean", "held_p95", "held_max", "predicted_mean",
            "predicted_p95", "predicted_max", "ratio",
        ])
        var all: [PredictionFigures] = []
        for recording in recordings {
            let figures = PredictionFigures(recording, latency: latency / 1000)
            all.append(figures)
            print(Self.line(figures))
            let (held, predicted) = (figures.held, figures.predicted)
            table.add(
                "\"\(figures.name.replacingOccurrences(of: "\"", with: "\"\""))\"", "\(figures.poses)",
                CSVTable.number(figures.rate), CSVTable.number(latency), CSVTable.number(held.mean),
                CSVTable.number(held.p95), CSVTable.number(held.most), CSVTable.number(predicted.mean),
                CSVTable.number(predicted.p95), CSVTable.number(predicted.most), CSVTable.number(figures.ratio))
        }
        try output?.complete(table.text)
        guard all.count > 1 else { return }
        let held = all.map(\.held.mean).reduce(0, +) / Double(all.count)
        let predicted = all.map(\.predicted.mean).reduce(0, +) / Double(all.count)
        let ratios = all.map(\.ratio)
        print(
            String(
                format: "all: %.3f without, %.3f with: ratio %.3f; mean of the ratios %.3f, the worst %.3f", held, predicted,
                held > 0 ? predicted / held : 1, ratios.reduce(0, +) / Double(ratios.count), ratios.max() ?? 1))
    }

    private func write(_ recordings: [TrackerRecording], _ folder: String) throws {
        let names = recordings.map { $0.name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-") + ".csv" }
        let files = try outputs.open(names, in: folder, option: "--write-set", inputs: motion)
        for (file, recording) in zip(files, recordings) { try file.complete(recording.csv) }
    }

    private static func line(_ figures: PredictionFigures) -> String {
        row(
            figures.name, String(format: "%.0f Hz", figures.rate), String(format: "%.3f", figures.held.mean),
            String(format: "%.3f", figures.predicted.mean), String(format: "%.3f", figures.ratio),
            String(format: "%.2f", figures.held.most), String(format: "%.2f", figures.predicted.most))
    }

    private static func row(_ name: String, _ cells: String...) -> String {
        cells.reduce(name.padding(toLength: max(28, name.count), withPad: " ", startingAt: 0)) { row, cell in
            row + String(repeating: " ", count: max(1, 13 - cell.count)) + cell
        }
    }

    private static func short(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(clamping: number))" : "\(number)"
    }
}
