internal import Binaural

/// The figures of all methods for a recording of one's own, as tables and as a report.
public struct RecordingReport: Sendable {
    /// Names of the recording, the motion and the reference, for the report.
    let names: (recording: String, motion: String, reference: String)
    let comparisons: [RecordingComparison]

    /// Names of the CSV files.
    public static let csvNames = ["recording.csv", "recording-bands.csv"]

    /// - Parameters:
    ///   - recording, motion, reference: names of the files.
    ///   - comparisons: by method.
    public init(recording: String, motion: String, reference: String, _ comparisons: [RecordingComparison]) {
        names = (recording, motion, reference)
        self.comparisons = comparisons
    }

    /// Contents of the CSV files.
    public var csvTexts: [String] { [summary, bands] }

    private var summary: String {
        var table = CSVTable([
            "method", "mean_db", "low_db", "middle_db", "high_db", "p95_db", "bias_db", "itd_mean_us", "itd_p95_us", "itd_bias_us",
            "ild_mean_db", "ild_p95_db", "gain_db", "delay_samples", "windows",
        ])
        let number = CSVTable.number
        for figures in comparisons {
            let level = figures.level
            table.add(
                figures.method.name, number(level.all.mean), number(level.low.mean), number(level.middle.mean), number(level.high.mean),
                number(level.all.p95), number(level.all.bias), number(figures.interauralTime.mean), number(figures.interauralTime.p95),
                number(figures.interauralTime.bias), number(figures.interauralLevel.all.mean), number(figures.interauralLevel.all.p95),
                number(figures.gain), "\(figures.delay)", "\(figures.windows)")
        }
        return table.text
    }

    private var bands: String {
        var table = CSVTable(["method", "scale", "band_hz", "mean_db", "p95_db", "bias_db"])
        for figures in comparisons {
            for (centre, error) in zip(FrequencyBands.erb.centres, figures.erb) {
                table.add(
                    figures.method.name, FrequencyBands.erb.name, CSVTable.number(centre), CSVTable.number(error.mean),
                    CSVTable.number(error.p95), CSVTable.number(error.bias))
            }
        }
        return table.text
    }

    /// The report as a self-contained HTML page.
    public func html(_ template: ReportTemplate) -> String {
        let values: [String: String] = [
            "recording": Self.escaped(names.recording), "motion": Self.escaped(names.motion), "reference": Self.escaped(names.reference),
            "files": Self.csvNames.map { "<code>\($0)</code>" }.joined(separator: ", "),
            "figures": table, "plot": plot, "windows": "\(comparisons.first?.windows ?? 0)",
            "window": "\(RecordingComparison.window)", "hop": "\(RecordingComparison.hop)",
        ]
        return template.filled(values, parts: [:])
    }

    private var table: String {
        var table = ReportTable(
            "Mean level error over ERB bands, dB, and 95th percentile. Small print: below 1.5 kHz / 1.5 to 5 kHz / above 5 kHz. Green: "
                + "smallest.",
            header: ["Method", "level, dB", "ITD, \u{00B5}s", "p95", "ILD, dB", "p95", "gain, dB", "delay, samples"])
        let least = comparisons.map(\.level.all.mean).min()
        for figures in comparisons {
            let (level, number) = (figures.level, ReportNumbers.level)
            let note = [level.low, level.middle, level.high].map { number($0.mean) }.joined(separator: " / ")
            let first = ReportTable.Cell(
                text: "\(number(level.all.mean)), p95 \(number(level.all.p95))", note: note, isBest: level.all.mean == least)
            table.add(
                figures.method.name,
                [first]
                    + [
                        ReportNumbers.tenth(figures.interauralTime.mean), ReportNumbers.tenth(figures.interauralTime.p95),
                        number(figures.interauralLevel.all.mean), number(figures.interauralLevel.all.p95), number(figures.gain),
                        "\(figures.delay)",
                    ].map { .init(text: $0) })
        }
        return table.html
    }

    private var plot: String {
        let curves = comparisons.map {
            LinePlot.Curve(name: $0.method.name, number: $0.method.rawValue, values: $0.erb.map(\.mean))
        }
        let most = curves.flatMap(\.values).filter(\.isFinite).max() ?? 0
        return Evaluation.legend(comparisons.map(\.method)) + "<div class=\"plots\">\n"
            + LinePlot(
                title: "Mean level error", frequencies: FrequencyBands.erb.centres, range: 0...(most > 6 ? 12 : 6), step: most > 6 ? 2 : 1,
                curves: curves
            ).svg + "\n</div>"
    }

    private static func escaped(_ text: String) -> String {
        text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? "\($0)" }.joined()
    }
}
