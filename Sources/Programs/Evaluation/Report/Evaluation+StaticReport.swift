internal import Binaural

extension Evaluation {
    /// Table of level errors, as compared in publications.
    var levelTable: String {
        var table = ReportTable(
            "Mean level error over ERB bands, dB, and 95th percentile. Small print: below 1.5 kHz / 1.5 to 5 kHz / above "
                + "5 kHz; then the same from the reference simulation. Green: smallest in the row.",
            header: ["Microphones"] + plan.methods.map(\.name))
        for microphones in plan.microphones {
            let row = statics.filter { $0.microphones == microphones }
            let least = row.map(\.level.all.mean).min()
            table.add("\(microphones)", row.map { cell($0, isBest: $0.level.all.mean == least) })
        }
        return table.html
    }

    private func cell(_ figures: StaticFigures, isBest: Bool) -> ReportTable.Cell {
        let level = figures.level
        let number = ReportNumbers.level
        var note = [level.low, level.middle, level.high].map { number($0.mean) }.joined(separator: " / ")
        if let reference = ReferenceFigures.find(microphones: figures.microphones, method: figures.method.name) {
            note += "<br>reference \(number(reference.all)), p95 \(number(reference.p95))"
            note += reference.regions.map { "<br>\(number($0.x)) / \(number($0.y)) / \(number($0.z))" } ?? ""
        }
        return .init(text: "\(number(level.all.mean)), p95 \(number(level.all.p95))", note: note, isBest: isBest)
    }

    /// Table of the figures at rest that do not depend on frequency.
    var localisationTable: String {
        var table = ReportTable(
            "Bias: signed mean level error. Complex: lowest frequency at which the difference to the exact ear exceeds "
                + "\u{2212}20 dB. ITD and ILD: mean error, and 95th percentile. Envelope: error of the time difference of the "
                + "ears' envelopes from 4 to 12 kHz, rms.",
            header: [
                "Microphones, method", "bias, dB", "complex, kHz", "ITD, \u{00B5}s", "p95", "envelope, \u{00B5}s", "ILD, dB", "p95",
                "latency, samples",
            ])
        for (index, figures) in statics.enumerated() {
            table.add(
                "\(figures.microphones) \(figures.method.name)",
                [
                    ReportNumbers.level(figures.level.all.bias), ReportNumbers.kilohertz(figures.firstComplexError),
                    ReportNumbers.tenth(figures.time.mean), ReportNumbers.tenth(figures.time.p95),
                    ReportNumbers.tenth(figures.envelopeTime.rms),
                    ReportNumbers.level(figures.interauralLevel.mean),
                    ReportNumbers.level(figures.interauralLevel.p95), "\(figures.latency)",
                ].map { .init(text: $0) }, begins: index % plan.methods.count == 0)
        }
        return table.html
    }

    /// Returns one plot per array.
    func plots(
        _ title: String, _ range: ClosedRange<Double>, step: Double, values: (StaticFigures) -> [Double]
    ) -> String {
        let drawings = plan.microphones.map { microphones in
            let curves = statics.filter { $0.microphones == microphones }.map {
                LinePlot.Curve(name: $0.method.name, number: $0.method.rawValue, values: values($0))
            }
            return LinePlot(
                title: "\(title), N = \(microphones)", frequencies: FrequencyBands.erb.centres, range: range,
                step: step, curves: curves
            ).svg
        }
        return legend + "<div class=\"plots\">\n" + drawings.joined(separator: "\n") + "\n</div>"
    }

    var legend: String { Self.legend(plan.methods) }

    static func legend(_ methods: [InterpolationMethod]) -> String {
        let entries = methods.map { method in
            let colour = method.rawValue % ReportStyle.colours
            return "<li><svg viewBox=\"0 0 44 12\" aria-hidden=\"true\"><path class=\"curve c\(colour)\" d=\"M0 6H44\"/>"
                + PlotMarker.svg(method.rawValue, colour: colour, x: 22, y: 6) + "</svg>\(method.name)</li>"
        }
        return "<ul class=\"legend\">\(entries.joined())</ul>\n"
    }
}
