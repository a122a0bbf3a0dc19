internal import Binaural

extension Evaluation {
    /// The report as a self-contained HTML page.
    public func html(_ template: ReportTemplate) -> String {
        template.filled(results.merging(settings) { $1 }, parts: ["hrtf": plan.methods.contains(.hrtf)])
    }

    /// Tables and plots, by their placeholders.
    private var results: [String: String] {
        [
            "files": csvFiles.map { "<code>\($0.name)</code>" }.joined(separator: ", "),
            "rest-level": levelTable,
            "rest-level-plots": plots("Mean level error", 0...6, step: 1) { $0.erb.map(\.mean) },
            "rest-difference-plots": plots("Difference to the exact ear", -60...10, step: 10) { $0.complexError },
            "rest-localisation": localisationTable,
            "tilts": tiltTable,
            "sensors": sensorTable,
            "noise-plots": noisePlots,
            "exceptions": exceptions,
            "turns": turnTables,
            "objects": objectSection,
        ]
    }

    /// Figures of the plan and the renderer, by their placeholders.
    private var settings: [String: String] {
        let numbers: [String: any CustomStringConvertible] = [
            "seed": plan.seed, "radius": plan.radius, "head-radius": plan.headRadius, "block": EarRenderer.block,
            "azimuths": 2 * plan.sources, "positions": plan.positions, "period": plan.period, "tilt-sources": plan.tiltSources,
            "sensor-takes": plan.sensorTakes, "sensor-azimuths": 2 * plan.sensorSources, "sensor-positions": plan.sensorPositions,
            "takes": plan.takes, "turn-period": plan.turnPeriod, "frame": TurnFrames.length, "hop": TurnFrames.hop,
        ]
        return numbers.mapValues { $0.description }
    }
}

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

extension Evaluation {
    /// Table of rolled and pitched heads.
    var tiltTable: String {
        var table = ReportTable(
            "ITD: mean error, \u{00B5}s, of sources all around in the plane of the microphones. Level: mean error over ERB bands, dB. "
                + "Small print: ITD of a source at 90\u{00B0}, rendered (exact); level below 1.5 kHz / 1.5 to 5 kHz / above 5 kHz.",
            header: ["Microphones, method"] + plan.tilts.flatMap { ["\(Self.name($0)): ITD", "level"] })
        for (index, first) in stride(from: 0, to: tilts.count, by: max(1, plan.tilts.count)).enumerated() {
            let row = tilts[first..<first + plan.tilts.count]
            table.add(
                "\(tilts[first].microphones) \(tilts[first].method.name)", row.flatMap(Self.cells),
                begins: index % plan.methods.count == 0)
        }
        return table.html
    }

    private static func name(_ tilt: HeadTilt) -> String {
        let roll = "roll \(ReportNumbers.whole(tilt.roll))\u{00B0}"
        return tilt.pitch == 0 ? roll : "\(roll), pitch \(ReportNumbers.whole(tilt.pitch))\u{00B0}"
    }

    private static func cells(_ figures: TiltFigures) -> [ReportTable.Cell] {
        let (whole, level) = (ReportNumbers.whole, figures.level)
        let regions = [level.low, level.middle, level.high].map { ReportNumbers.level($0.mean) }
        return [
            .init(text: whole(figures.time.mean), note: "\(whole(figures.side.rendered)) (\(whole(figures.side.exact)))"),
            .init(text: ReportNumbers.level(level.all.mean), note: regions.joined(separator: " / ")),
        ]
    }
}

extension Evaluation {
    /// Table of the effects of imperfect microphones.
    var sensorTable: String {
        let number = ReportNumbers.level
        func regions(_ level: RegionStatistics) -> String {
            [level.low, level.middle, level.high].map { number($0.mean) }.joined(separator: " / ")
        }
        var table = ReportTable(
            "Noise: level at the ear of the microphones' own noise, dB relative to the noise of one microphone, of a head that is "
                + "upright and of one that is rolled by \(SensorEvaluation.roll)\u{00B0}. Then the mean "
                + "level error, dB, with ideal microphones, with gain errors of \(plan.sensorGain) dB and with position errors of "
                + "\(plan.sensorPosition)\u{00B0} (standard deviations). Small print: below 1.5 kHz / 1.5 to 5 kHz / above 5 kHz.",
            header: ["Microphones, method", "noise, dB", "noise when rolled, dB", "ideal, dB", "gain errors, dB", "position errors, dB"])
        for (index, figures) in sensors.enumerated() {
            func noise(_ level: (Range<Double>) -> Double) -> ReportTable.Cell {
                let regions = [0..<1500, 1500..<5000, 5000..<Double.infinity].map { number(level($0)) }
                return .init(text: number(level(0..<Double.infinity)), note: regions.joined(separator: " / "))
            }
            let levels = [figures.ideal, figures.gains, figures.positions]
            table.add(
                "\(figures.microphones) \(figures.method.name)",
                [noise(figures.noise(in:)), noise(figures.rolledNoise(in:))]
                    + levels.map { .init(text: number($0.all.mean), note: regions($0)) },
                begins: index % plan.methods.count == 0)
        }
        return table.html
    }

    /// One plot of the noise at the ear per array.
    var noisePlots: String {
        let drawings = plan.microphones.map { microphones in
            let curves = sensors.filter { $0.microphones == microphones }.map {
                LinePlot.Curve(name: $0.method.name, number: $0.method.rawValue, values: $0.noise)
            }
            return LinePlot(
                title: "Microphone noise at the ear, N = \(microphones)", frequencies: FrequencyBands.erb.centres, range: -12...12,
                step: 3, curves: curves
            ).svg
        }
        return legend + "<div class=\"plots\">\n" + drawings.joined(separator: "\n") + "\n</div>"
    }
}
