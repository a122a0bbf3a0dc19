import ArgumentParser
import Binaural
import Evaluation
import FileOutput
import Foundation
import Synchronization

/// `vestibule evaluate`: the errors of every method, as tables and as a report.
struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measure every method against the exact pressure at the ear, at rest and while the head turns.",
        discussion: """
            Renders noise on a rigid sphere with the renderer that plays live. Writes report.html, which is complete in \
            itself, and the figures as CSV.
            """)

    @Option(help: "Numbers of microphones, each 4 to 64, separated by commas.")
    var microphones: String?

    private static let names = EvaluationPlan.measurable.map(\.name).joined(separator: ", ")

    @Option(help: "Methods, separated by commas: \(names), personal (default: all but personal).")
    var methods: String?

    @Option(
        name: .customLong("head-radius"),
        help: "Head radius for the method personal, metres: the sphere that it renders and is compared with.")
    var headRadius = 0.095

    @Flag(help: "Measure fewer and coarser steps, in some seconds; not for figures to publish.")
    var quick = false

    @OptionGroup var random: SeedOption

    @Option(help: "Output folder, made if it is missing.")
    var output: String

    @OptionGroup var outputs: OutputOptions

    func validate() throws { _ = try plan() }

    private func plan() throws -> EvaluationPlan {
        var plan = quick ? EvaluationPlan.quick : EvaluationPlan()
        plan.seed = random.seed
        guard HRTFDesign.radii.contains(Float(headRadius)) else {
            throw ValidationError("--head-radius \(headRadius): give 0.05 to 0.15 m.")
        }
        plan.headRadius = headRadius
        if let microphones {
            plan.microphones = try Self.list(microphones).map { text in
                guard let count = Int(text), (4...MicrophoneArray.capacity).contains(count) else {
                    throw ValidationError(
                        "--microphones: \"\(text)\" is not a number from 4 to \(MicrophoneArray.capacity).")
                }
                return count
            }
            plan.turnMicrophones = nil
        }
        if let methods {
            plan.methods = try Self.list(methods).map { name in
                guard let method = InterpolationMethod(name: name) else {
                    throw ValidationError("--methods: there is no method \"\(name)\". Choose among \(Self.names), personal.")
                }
                return method
            }
        }
        return plan
    }

    /// The entries of a list, each once.
    private static func list(_ text: String) throws -> [String] {
        let entries = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !entries.isEmpty else {
            throw ValidationError("\"\(text)\" is an empty list. Give one or more entries, separated by commas.")
        }
        return entries.enumerated().filter { !entries[..<$0.offset].contains($0.element) }.map(\.element)
    }

    func run() throws {
        let plan = try plan()
        // Before the work, so that an error is reported at once.
        let files = try outputs.open(Evaluation.csvNames + ["report.html"], in: output, option: "--output")
        let begin = Date()
        let progress = Mutex(ProgressLine("Evaluating"))
        let evaluation = Evaluation(plan) { share in progress.withLock { $0.show(share) } }
        progress.withLock { $0.clear() }
        let texts = evaluation.csvFiles.map(\.text) + [evaluation.html]
        for (file, text) in zip(files, texts) { try file.complete(text) }
        for figures in evaluation.statics { print(Self.line(figures)) }
        print(
            "\(files.last?.path ?? output): written after "
                + String(format: "%.1f s", -begin.timeIntervalSinceNow))
    }

    private static func line(_ figures: StaticFigures) -> String {
        let level = figures.level
        let name = figures.method.name.padding(toLength: 18, withPad: " ", startingAt: 0)
        return String(
            format: "N = %2d  %@ %.2f dB (%.2f below 1.5 kHz, %.2f to 5 kHz, %.2f above), p95 %.2f dB",
            figures.microphones, name, level.all.mean, level.low.mean, level.middle.mean, level.high.mean,
            level.all.p95)
    }
}
