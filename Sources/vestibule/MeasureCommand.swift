import ArgumentParser
import Device
import Evaluation
import Foundation

/// `vestibule measure`: motion to sound from outside, and what telemetry says of it.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure motion to sound from outside: poses by UDP, the change found in captured audio.",
        discussion: """
            After 3GPP TS 26.260, clause 4.2.3: the head is turned half round at random moments, by OSC over UDP, and the \
            time is taken until the first changed sample is at the converter. Beside it stands what the engine's own \
            telemetry says of the same poses. With a sound card, lead its output into an input and name that: \
            --device alsa:hw:0 --capture alsa:plughw:0. The timer device needs no capture: its ears are recorded as \
            they are handed to the network.
            """)

    @Option(help: "What plays: timer, or alsa:NAME.")
    var device = "timer"

    @Option(help: "Where its output is heard: alsa:NAME; for a sound server, the monitor of its sink.")
    var capture: String?

    @Option(help: "Turns of the head, 10 to 10000.")
    var steps = 200

    @Option(help: "Frames per second.")
    var rate = 48_000

    @Option(help: "Frames per block.")
    var period = 64

    @Option(help: "Blocks in a sound card's buffer.")
    var periods = 2

    @Option(help: "Milliseconds between two turns; as much again is added at random. By itself: after the latency.")
    var interval: Double?

    @Option(help: "The folder for steps.csv, summary.json and plot.svg; made if there is none.")
    var output: String?

    func validate() throws {
        guard (10...10_000).contains(steps) else { throw ValidationError("--steps is 10 to 10000, not \(steps).") }
        if let interval, !(20...10_000).contains(interval) {
            throw ValidationError("--interval is 20 to 10000 milliseconds, not \(interval).")
        }
        let specification = try DeviceSpecification(device)
        switch (specification, capture) {
        case (.timer, nil): break
        case (.timer, _): throw ValidationError("The timer device has no output; leave --capture out.")
        case (.file, _): throw ValidationError("A file is not heard at any time; measure timer or alsa:NAME.")
        case (.alsa, nil):
            throw ValidationError(
                "--capture alsa:NAME says where the output of \(device) is heard: an input that it is led into, or the "
                    + "monitor of a sound server's sink.")
        case (.alsa, let capture?):
            guard case .alsa = try DeviceSpecification(capture) else {
                throw ValidationError("--capture is alsa:NAME, not \(capture).")
            }
        }
    }

    func run() throws {
        let chain = try MeasuredChain(device: device, capture: capture, rate: rate, period: period, periods: periods)
        let progress = ProgressLine("measuring")
        let measurement = try chain.measure(steps: steps, interval: interval.map { $0 / 1000 }) { progress.show($0) }
        progress.clear()
        print("\(measurement.steps.count) steps, \(measurement.missed) not found, \(measurement.xruns) xruns; milliseconds:")
        print(Self.row("", "min", "median", "p95", "p99", "max"))
        let summaries = [
            ("heard", measurement.heard), ("told by telemetry", measurement.told), ("heard - told", measurement.difference),
        ]
        for (name, summary) in summaries {
            let numbers = [summary.min, summary.median, summary.p95, summary.p99, summary.max]
            print(Self.row(name, numbers.map { String(format: "%.3f", $0) }))
        }
        if let output { try write(measurement, chain, output) }
        guard measurement.steps.count >= steps * 9 / 10 else {
            let hint =
                capture.map { "Is \($0) where \(device) is heard, loud enough? A longer --interval helps when the latency is long." }
                ?? "Other programs keep this machine too busy; end them, or try a longer --interval."
            throw DeviceError("\(measurement.missed) of \(steps) steps were not found in what was captured. \(hint)")
        }
    }

    private func write(_ measurement: LatencyMeasurement, _ chain: MeasuredChain, _ path: String) throws {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let setting = [
            "device": device, "capture": capture ?? "ears", "rate": "\(chain.format.rate)", "period": "\(chain.format.period)",
            "periods": "\(chain.format.periods)",
        ]
        let title = "Motion to sound: \(device), \(chain.format.rate) Hz, \(chain.format.period) frames, \(measurement.steps.count) steps"
        for (name, text) in [
            ("steps.csv", measurement.csv), ("summary.json", measurement.json(setting)), ("plot.svg", measurement.svg(title: title)),
        ] { try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .atomic) }
    }

    private static func row(_ name: String, _ cells: String...) -> String { row(name, cells) }

    private static func row(_ name: String, _ cells: [String]) -> String {
        cells.reduce(name.padding(toLength: 20, withPad: " ", startingAt: 0)) { row, cell in
            row + String(repeating: " ", count: max(1, 10 - cell.count)) + cell
        }
    }
}
