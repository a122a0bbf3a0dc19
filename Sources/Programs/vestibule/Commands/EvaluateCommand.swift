import ArgumentParser
import Binaural
import Evaluation
import FileOutput
import Files
import Foundation
import Synchronization

/// `vestibule evaluate`: the errors of every method, as tables and as a report.
struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measure every method against the exact pressure at the ear, at rest and while the head turns.",
        discussion: """
            Renders noise on a rigid sphere with the renderer that plays live. With --recording and --reference, renders a recording of \
            your own and compares it with the reference instead. Writes report.html, which is complete in itself, and the figures as CSV.
            """)

    @Option(help: "Recording of your own that every method renders, as in `vestibule render`; with --reference.")
    var recording: String?

    @Option(help: "Binaural reference for --recording: a stereo file of the same event, rate and length, heard with the same motion.")
    var reference: String?

    @Option(
        name: [.customLong("motion"), .customLong("trajectory")],
        help: "Motion of the head in the reference, as for `vestibule render` (default: at rest, straight ahead).")
    var motion: String?

    @Option(help: "SOFA file of the method hrtf for --recording (default: the file of libmysofa).")
    var hrtf: String?

    @Option(help: "Numbers of microphones, each 4 to 64, separated by commas.")
    var microphones: String?

    private static let names = EvaluationPlan.measurable.map(\.name).joined(separator: ", ")

    @Option(help: "Methods, separated by commas: \(names), hrtf (default: all but hrtf).")
    var methods: String?

    @Option(
        name: .customLong("head-radius"),
        help: "Head radius for the method hrtf, metres: the sphere that it renders and is compared with (default: 0.095).")
    var headRadius: Double?

    @Flag(help: "Measure fewer and coarser steps, in a few seconds; not for figures to publish.")
    var quick = false

    @Flag(help: "Measure sound objects through the microphone array as well (renderer array), beside objects rendered directly.")
    var objects = false

    @OptionGroup var random: SeedOption

    @Option(help: "Output folder, created if missing.")
    var output: String

    @Option(help: "Folder of the panel's files, which has the template of the report (default: web beside the program).")
    var web: String?

    @OptionGroup var outputs: OutputOptions

    func validate() throws {
        try validateRecording()
        _ = try plan()
    }

    private func plan() throws -> EvaluationPlan {
        var plan = quick ? EvaluationPlan.quick : EvaluationPlan()
        plan.seed = random.seed
        plan.measuresObjects = objects
        if let headRadius {
            guard HRTFDesign.radii.contains(Float(headRadius)) else {
                throw ValidationError("--head-radius \(headRadius): give 0.05 to 0.15 m.")
            }
            plan.headRadius = headRadius
        }
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
                    throw ValidationError("--methods: there is no method \"\(name)\". Choose among \(Self.names), hrtf.")
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
        if let recording, let reference { return try compare(recording, with: reference, methods: plan.methods) }
        // Before the work, so that an error is reported at once.
        let template = try template("report.html")
        let files = try outputs.open(Evaluation.names(plan) + ["report.html"], in: output, option: "--output")
        let begin = Date()
        let progress = Mutex(ProgressLine("Evaluating"))
        let evaluation = Evaluation(plan) { share in progress.withLock { $0.show(share) } }
        progress.withLock { $0.clear() }
        let texts = evaluation.csvFiles.map(\.text) + [evaluation.html(template)]
        for (file, text) in zip(files, texts) { try file.complete(text) }
        for figures in evaluation.statics { print(Self.line(figures)) }
        for figures in evaluation.objects { print(Self.line(figures)) }
        print(
            "\(files.last?.path ?? output): written after "
                + String(format: "%.1f s", -begin.timeIntervalSinceNow))
    }

    /// The template of the report, which is among the panel's files.
    func template(_ page: String) throws -> ReportTemplate {
        guard let folder = DataFolder.panel(web) else {
            throw ValidationError(
                "The template of the report is missing. Name the panel's folder, which has report/report.html, with --web.")
        }
        func text(_ name: String) throws -> String {
            String(decoding: try RegularFile("\(folder)/report/\(name)").bytes(atMost: RegularFile.largestText), as: UTF8.self)
        }
        return try ReportTemplate(page: text(page), style: text("report.css"))
    }

    private static func line(_ figures: ObjectFigures) -> String {
        let (level, exact) = (figures.direct.level, figures.exact.level)
        let name = figures.method.name.padding(toLength: 18, withPad: " ", startingAt: 0)
        return String(
            format: "N = %2d  %@ objects: array against direct %.2f dB (%.2f below 1.5 kHz), %.0f us; against the sphere %.2f dB, %.0f us",
            figures.microphones, name, level.all.mean, level.low.mean, figures.direct.time.mean, exact.all.mean,
            figures.exact.time.mean)
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

/// The seed of everything random in an evaluation.
struct SeedOption: ParsableArguments {
    @Option(
        name: .customLong("seed"), help: "Random seed, 0 or greater. The same seed gives the same figures (default: 1).")
    var given: UInt64?

    var seed: UInt64 { given ?? 1 }
    var isGiven: Bool { given != nil }
}
