internal import Binaural

extension Evaluation {
    var turned: [Int] { plan.turnMicrophones ?? plan.microphones }

    var turnTables: String {
        turned.map { microphones in
            "<h3>\(microphones) microphones</h3>\n"
                + TurnMeasure.tables.map { table($0, microphones) }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func table(_ measure: TurnMeasure, _ microphones: Int) -> String {
        var table = ReportTable(measure.caption, header: ["Scene, degrees/s"] + plan.methods.map(\.name))
        for scene in plan.scenes {
            for (index, speed) in plan.speeds.enumerated() {
                let row = row(microphones, scene.name, speed)
                let least = row.map(measure.value).min()
                table.add(
                    "\(scene.name), \(ReportNumbers.whole(speed))",
                    row.map {
                        .init(text: measure.text($0), note: measure.note($0), isBest: measure.value($0) == least)
                    }, begins: index == 0)
            }
        }
        return table.html
    }

    /// One row per method, in order.
    func row(_ microphones: Int, _ scene: String, _ speed: Double) -> [TurnFigures] {
        turns.filter { $0.microphones == microphones && $0.scene == scene && $0.speed == speed }
    }
}

extension Evaluation {
    /// The method expected to be the best: the default of listeners.
    private var favourite: InterpolationMethod? {
        plan.methods.first { $0 == .standard } ?? plan.methods.last
    }

    /// Cases in which another method is better for a turning head than the favourite, with the reason.
    var exceptions: String {
        guard let favourite, plan.methods.count > 1 else { return "" }
        var table = ReportTable(
            "Every case in which another method is better than \(favourite.name), with the reason.",
            header: ["Microphones, scene, degrees/s", "figure", "best", "dB", "\(favourite.name), dB", "reason"])
        var (found, cells) = (0, 0)
        for microphones in turned {
            for scene in plan.scenes {
                for speed in plan.speeds {
                    let row = row(microphones, scene.name, speed)
                    guard let own = row.first(where: { $0.method == favourite }) else { continue }
                    for measure in TurnMeasure.all {
                        cells += 1
                        guard let best = row.min(by: { measure.value($0) < measure.value($1) }),
                            measure.value(best) < measure.value(own)
                        else { continue }
                        found += 1
                        let texts = [
                            measure.name, best.method.name, ReportNumbers.level(measure.value(best)),
                            ReportNumbers.level(measure.value(own)), measure.reason(best: best, own: own),
                        ]
                        table.add(
                            "\(microphones), \(scene.name), \(ReportNumbers.whole(speed))",
                            texts.map { .init(text: $0) })
                    }
                }
            }
        }
        let figures =
            "\(cells) figures (mean and 95th percentile of the level error, its modulation, energy where the "
            + "stimulus has none)"
        guard found > 0 else { return "<p>No method is better than \(favourite.name) in any of \(figures).</p>" }
        return "<details><summary>In \(found) of \(figures) another method is better than \(favourite.name): cases and "
            + "reasons.</summary>\n\(table.html)\n</details>"
    }
}

/// Measure of the turning head that one table shows; less is better.
struct TurnMeasure: Sendable {
    let name: String
    let caption: String
    let text: @Sendable (TurnFigures) -> String
    let note: @Sendable (TurnFigures) -> String
    let value: @Sendable (TurnFigures) -> Double

    /// Measures with a table each.
    static let tables = [levels, modulation, clicks]

    /// All measures by which methods are compared.
    static let all = [levels, largest, modulation, clicks]

    private static let levels = TurnMeasure(
        name: "mean",
        caption: "Mean level error while the head turns, dB, over ERB bands and frames of 21 ms. Small print: 95th "
            + "percentile.",
        text: { ReportNumbers.level($0.level.all.mean) }, note: { "p95 " + ReportNumbers.level($0.level.all.p95) },
        value: \.level.all.mean)

    private static let largest = TurnMeasure(
        name: "p95", caption: "95th percentile of the level error, dB.", text: { ReportNumbers.level($0.level.all.p95) },
        note: { _ in "" }, value: \.level.all.p95)

    private static let modulation = TurnMeasure(
        name: "modulation",
        caption: "Change of the level error within 11 ms, root mean square, dB, at sector borders. Small print: away "
            + "from them.",
        text: { ReportNumbers.level($0.modulation.near) },
        note: { "away " + ReportNumbers.level($0.modulation.away) }, value: \.modulation.near)

    private static let clicks = TurnMeasure(
        name: "above 18 kHz",
        caption: "Energy above 18 kHz, where the stimulus has none, at sector borders, relative to the exact ears' "
            + "energy, dB. Small print: away from them, and of the exact ears themselves.",
        text: { ReportNumbers.whole($0.clicks.near) },
        note: {
            "away \(ReportNumbers.whole($0.clicks.away)), exact \(ReportNumbers.whole($0.exactClicks.near))"
        }, value: \.clicks.near)

    /// Explains why `best` is better than `own` in this figure, from the other figures of the same case.
    func reason(best: TurnFigures, own: TurnFigures) -> String {
        switch name {
        case "modulation":
            return "\(best.method.name) fluctuates less but is less accurate: its mean error is "
                + "\(ReportNumbers.level(best.level.all.mean)) dB against \(ReportNumbers.level(own.level.all.mean)) dB"
        case "above 18 kHz":
            let spread = own.clicks.near - own.clicks.away
            guard spread.isFinite, abs(spread) < 6 else {
                return "phases are re-aligned at borders, \(ReportNumbers.whole(-own.clicks.near)) dB below the sound"
            }
            return "artefacts of short-time spectra, equally strong away from borders "
                + "(\(ReportNumbers.whole(own.clicks.away)) dB): not clicks"
        default:
            let regions = [
                ("below 1.5 kHz", best.level.low, own.level.low), ("from 1.5 to 5 kHz", best.level.middle, own.level.middle),
                ("above 5 kHz", best.level.high, own.level.high),
            ]
            let figure: (ErrorStatistics) -> Double = name == "p95" ? { $0.p95 } : { $0.mean }
            let worst = regions.max { figure($0.2) - figure($0.1) < figure($1.2) - figure($1.1) } ?? regions[2]
            return "\(worst.0): \(ReportNumbers.level(figure(worst.1))) against "
                + "\(ReportNumbers.level(figure(worst.2))) dB"
                + (worst.0 == regions[0].0 ? "" : ", where several sources interfere in the magnitudes of a frame")
        }
    }
}
