import ArgumentParser
import Bench
import Device
import Evaluation
import FileOutput
import Foundation

/// `vestibule measure`: motion-to-sound latency measured from outside, beside the telemetry of the same poses.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure the motion-to-sound latency externally: send poses over UDP and find the change in captured audio.",
        discussion: """
            After 3GPP TS 26.260, clause 4.2.3: turns the head by 180 degrees at random moments, by OSC over UDP, and measures \
            the time until the first changed sample is at the converter. The result is compared with the engine's telemetry of \
            the same poses. With a sound card, connect an output to an input and name both: \
            --device alsa:hw:0 --capture alsa:plughw:0. The timer device needs no capture: its ears are recorded as \
            network listeners get them.
            """)

    @OptionGroup(title: "Device") var sound: DeviceOptions

    @Option(help: "Sound input that records the device, alsa:NAME; for a sound server, the monitor of its sink.")
    var capture: String?

    @Option(
        help: """
            Milliseconds from a turn to its sound, instead of --capture: the median measured by another instrument with the same \
            device, rate, period and periods.
            """)
    var heard: Double?

    @Option(help: "Number of head turns, 10 to 10000.")
    var steps = 200

    @Option(help: "Milliseconds between two turns; up to as much again is added at random (default: derived from the latency).")
    var interval: Double?

    @Option(help: "Output folder for steps.csv, summary.json and plot.svg, created if missing.")
    var output: String?

    @Flag(help: "Store the difference between the measured and the reported latency; later runs on this device with these settings add it.")
    var apply = false

    @OptionGroup var outputs: OutputOptions

    func validate() throws {
        guard (10...10_000).contains(steps) else { throw ValidationError("--steps \(steps): give 10 to 10000.") }
        if let interval, !(20...10_000).contains(interval) {
            throw ValidationError("--interval \(interval): give 20 to 10000 milliseconds.")
        }
        let specification = try sound.specification()
        if apply, specification == .timer { throw ValidationError("The timer's times are exact. Remove --apply, or name a --device.") }
        if let heard {
            guard (0...OutputDelays.longest).contains(heard) else {
                throw ValidationError("--heard \(heard): give 0 to \(OutputDelays.longest) milliseconds.")
            }
            guard capture == nil else { throw ValidationError("Give either --capture or --heard.") }
        }
        switch (specification, capture) {
        case (.timer, nil): break
        case (.timer, _): throw ValidationError("The timer device has no output to capture. Remove --capture.")
        case (.jack, _):
            throw ValidationError("A JACK client is measured by ALSA's plugin for JACK: --device alsa:jack --capture alsa:jack.")
        case (.file, _): throw ValidationError("A file device has no latency. Measure timer or alsa:NAME.")
        case (.alsa, nil) where heard != nil: break
        case (.alsa, nil):
            throw ValidationError(
                "Add --capture alsa:NAME: an input that is connected to the output of \(sound.device), or the monitor of a sound "
                    + "server's sink.")
        case (.alsa, let capture?):
            guard case .alsa = try DeviceSpecification(capture) else {
                throw ValidationError("--capture \(capture): give alsa:NAME.")
            }
        }
    }

    func run() throws {
        let files = try output.map { try outputs.open(["steps.csv", "summary.json", "plot.svg"], in: $0, option: "--output") }
        let file = OutputDelayFile()
        let chain = try MeasuredChain(
            device: sound.specification(), capture: capture, instrument: heard, format: sound.format(), delays: try file.read())
        let progress = ProgressLine("measuring")
        let measurement = try chain.measure(steps: steps, interval: interval.map { $0 / 1000 }) { progress.show($0) }
        progress.clear()
        print(
            "\(counted(measurement.steps.count, "step")), \(measurement.missed) not found, "
                + "\(counted(measurement.xruns, "xrun")); milliseconds:"
        )
        print(Self.row("", "min", "median", "p95", "p99", "max"))
        let summaries = [
            ("heard", measurement.heard), ("told, \(chain.source)", measurement.told), ("heard - told", measurement.difference),
        ]
        for (name, summary) in summaries {
            let numbers = [summary.min, summary.median, summary.p95, summary.p99, summary.max]
            print(Self.row(name, numbers.map { String(format: "%.3f", $0) }))
        }
        if let files { try write(measurement, chain, files) }
        guard measurement.steps.count >= steps * 9 / 10 else {
            let hint =
                capture.map { "Check that \($0) hears \(sound.device), loud enough. A longer --interval helps when the latency is long." }
                ?? "Other programs keep this machine busy. End them, or try a longer --interval."
            throw DeviceError("\(measurement.missed) of \(counted(steps, "step")) were not found in what was captured. \(hint)")
        }
        if apply { try store(measurement.delay.median, chain, file) }
    }

    private func store(_ delay: Double, _ chain: MeasuredChain, _ file: OutputDelayFile) throws {
        guard (0...OutputDelays.longest).contains(delay) else {
            throw DeviceError(
                String(format: "The sound would leave %.3f ms after its rendering began, which is impossible. ", delay)
                    + "Nothing was stored. Check that \(capture ?? "") hears \(sound.device).")
        }
        try file.set(delay, for: .init(try sound.specification(), chain.format))
        print(
            String(format: "Stored: sound leaves the device %.3f ms after its rendering begins. ", delay)
                + "An engine that is running uses this when it is started again.")
    }

    private func write(_ measurement: LatencyMeasurement, _ chain: MeasuredChain, _ files: [OutputFile]) throws {
        let setting = [
            "device": sound.device, "capture": capture ?? (heard == nil ? "ears" : "instrument"), "rate": "\(chain.format.rate)",
            "period": "\(chain.format.period)", "periods": "\(chain.format.periods)", "source": "\(chain.source)",
        ]
        let title =
            "Motion to sound: \(sound.device), \(chain.format.rate) Hz, \(chain.format.period) frames, "
            + "\(counted(measurement.steps.count, "step"))"
        let texts = [measurement.csv, measurement.json(setting), measurement.svg(title: title)]
        for (file, text) in zip(files, texts) { try file.complete(text) }
    }

    private static func row(_ name: String, _ cells: String...) -> String { row(name, cells) }

    private static func row(_ name: String, _ cells: [String]) -> String {
        cells.reduce(name.padding(toLength: 20, withPad: " ", startingAt: 0)) { row, cell in
            row + String(repeating: " ", count: max(1, 10 - cell.count)) + cell
        }
    }
}
