import ArgumentParser
import Binaural
import Device
import Engine
import Evaluation
import FileOutput
import Foundation
import Media
import Pose

/// Comparison of the methods for a recording of one's own with a binaural reference.
extension EvaluateCommand {
    /// Longest reference, seconds.
    private static let longest = 1800.0

    /// Keeps both ears.
    private final class Ears: FrameSink {
        private(set) var left: [Float] = []
        private(set) var right: [Float] = []

        func write(_ interleaved: UnsafePointer<Float>, frames: Int) {
            for frame in 0..<frames {
                left.append(interleaved[2 * frame])
                right.append(interleaved[2 * frame + 1])
            }
        }

        func finish() {}
    }

    /// Refuses options that do not apply to the comparison, and without a comparison those that need it.
    func validateRecording() throws {
        let own: [(option: String, isGiven: Bool)] = [
            ("--reference", reference != nil), ("--motion", motion != nil), ("--hrtf", hrtf != nil),
        ]
        guard recording != nil else {
            guard let given = own.first(where: \.isGiven) else { return }
            throw ValidationError("\(given.option) is for a recording of your own: add --recording FILE.")
        }
        guard reference != nil else {
            throw ValidationError("--recording is compared with a binaural reference of the same event: add --reference FILE.")
        }
        let simulated: [(option: String, isGiven: Bool)] = [
            ("--microphones", microphones != nil), ("--quick", quick), ("--objects", objects), ("--seed", random.isGiven),
            ("--head-radius", headRadius != nil),
        ]
        let ignored = simulated.filter(\.isGiven).map(\.option)
        guard ignored.isEmpty else {
            throw ValidationError("\(ignored.joined(separator: ", ")): for simulated fields only. Leave it out with --recording.")
        }
    }

    func compare(_ recording: String, with reference: String, methods: [InterpolationMethod]) throws {
        let template = try template("recording.html")
        let ears = try read(reference, beside: recording)
        let names = RecordingReport.csvNames + ["report.html"]
        let inputs = [recording, reference] + [motion, hrtf == "" ? nil : hrtf].compactMap(\.self)
        let files = try outputs.open(names, in: output, option: "--output", inputs: inputs)
        let head = try motion.map { try HeadSource(path: $0) }
        let comparisons = try methods.map { method in
            let rendered = try render(recording, method, head)
            let figures = RecordingComparison(
                method, rendered: (rendered.ears.left, rendered.ears.right), reference: ears, rate: Double(rendered.rate))
            print(Self.line(figures))
            return figures
        }
        let report = RecordingReport(recording: recording, motion: motion ?? "of a head at rest", reference: reference, comparisons)
        for (file, text) in zip(files, report.csvTexts + [report.html(template)]) { try file.complete(text) }
        if let late = comparisons.map(\.delay).max(by: { abs($0) < abs($1) }), abs(late) > Self.mostDelay {
            warn(
                "the rendered ears are \(abs(late)) frames \(late > 0 ? "later" : "earlier") than \(reference): figures compare sound of "
                    + "different times. Let the reference begin with the recording, at the same length.")
        }
        print("\(files.last?.path ?? output): written")
    }

    /// Largest difference in frames between a reference and the rendered ears, in either direction, without a warning.
    private static let mostDelay = 48

    /// Reads the reference, which has to be as long as the recording.
    private func read(_ reference: String, beside recording: String) throws -> (left: [Float], right: [Float]) {
        let reader = try RecordingReader(path: recording)
        reader.warnings.forEach(warn)
        let (rate, frames) = (Int(clamping: reader.rate), reader.frames)
        let facts = try SoundFacts(path: reference)
        guard facts.channels == 2 else {
            throw RequestError(
                "\(reference) has \(counted(facts.channels, "channel")), and a binaural reference has two, left and right.")
        }
        guard facts.rate == rate else {
            throw RequestError(
                "\(reference) has \(facts.rate) frames per second, and \(recording) has \(rate). Convert one of them to the other's rate.")
        }
        guard facts.frames == frames else {
            throw RequestError(
                "\(reference) has \(counted(facts.frames, "frame")), and \(recording) has \(frames). Cut both to the same begin and length."
            )
        }
        guard frames >= RecordingComparison.shortest else {
            throw RequestError(
                "\(recording) has \(counted(frames, "frame")), and \(RecordingComparison.shortest) are compared at least.")
        }
        let sound = try WholeSound(path: reference, rate: rate, longest: Self.longest, purpose: "a reference")
        sound.warnings.forEach(warn)
        func channel(_ number: Int) -> [Float] { (0..<frames).map { sound.interleaved[2 * $0 + number] } }
        return (channel(0), channel(1))
    }

    private func render(_ recording: String, _ method: InterpolationMethod, _ head: HeadSource?) throws -> (ears: Ears, rate: Int) {
        var settings = RenderingSettings()
        (settings.recording, settings.method, settings.ceiling) = (recording, method, nil)
        if let head { settings.head = head }
        settings.hrtf = hrtf ?? ""
        var reports = RenderingReports()
        let shared = ProgressLines()
        reports.progress = { shared.show($0, $1) }
        let ears = Ears()
        let rendering = try RecordingRendering(settings, reports: reports)
        _ = try rendering.render(to: ears)
        return (ears, rendering.format.rate)
    }

    private static func line(_ figures: RecordingComparison) -> String {
        let level = figures.level
        let name = figures.method.name.padding(toLength: 18, withPad: " ", startingAt: 0)
        return String(
            format: "%@ %.2f dB (%.2f below 1.5 kHz, %.2f to 5 kHz, %.2f above), p95 %.2f dB; ITD %.0f us, ILD %.2f dB; gain %.1f dB", name,
            level.all.mean, level.low.mean, level.middle.mean, level.high.mean, level.all.p95, figures.interauralTime.mean,
            figures.interauralLevel.all.mean, figures.gain)
    }
}
