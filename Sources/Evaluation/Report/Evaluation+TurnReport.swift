internal import Binaural

extension Evaluation {
    private var turned: [Int] { plan.turnMicrophones ?? plan.microphones }

    /// What of the turning head one table shows; less is better.
    private struct Measure: Sendable {
        let caption: String
        let text: @Sendable (TurnFigures) -> String
        let note: @Sendable (TurnFigures) -> String
        let value: @Sendable (TurnFigures) -> Double
    }

    private static let levels = Measure(
        caption: "Mean level error while the head turns, dB, over ERB bands and frames of 21 ms. Small: 95th "
            + "percentile.",
        text: { ReportNumbers.level($0.level.all.mean) }, note: { "p95 " + ReportNumbers.level($0.level.all.p95) },
        value: \.level.all.mean)

    private static let modulation = Measure(
        caption: "Change of the level error within 11 ms, root mean square, dB, at borders of sectors. Small: away "
            + "from them.",
        text: { ReportNumbers.level($0.modulation.near) },
        note: { "away " + ReportNumbers.level($0.modulation.away) }, value: \.modulation.near)

    private static let clicks = Measure(
        caption: "Energy above 18 kHz, where the stimulus has none, at borders of sectors, against the exact ears' "
            + "energy, dB. Small: of the exact ears themselves.",
        text: { ReportNumbers.whole($0.clicks.near) },
        note: { "exact " + ReportNumbers.whole($0.exactClicks.near) }, value: \.clicks.near)

    var turnTables: String {
        turned.map { microphones in
            "<h3>\(microphones) microphones</h3>\n"
                + [Self.levels, Self.modulation, Self.clicks].map { table($0, microphones) }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func table(_ measure: Measure, _ microphones: Int) -> String {
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

    /// Of every method, in order.
    private func row(_ microphones: Int, _ scene: String, _ speed: Double) -> [TurnFigures] {
        turns.filter { $0.microphones == microphones && $0.scene == scene && $0.speed == speed }
    }

    /// The method that is meant to be the best: what a listener has who chooses none.
    private var favourite: InterpolationMethod? {
        plan.methods.first { $0.name == "ring-spectral" } ?? plan.methods.last
    }

    /// Where another method turns better than the favourite.
    var exceptions: String {
        guard let favourite, plan.methods.count > 1 else { return "" }
        var table = ReportTable(
            "Every case in which another method is better than \(favourite.name), by 0.01 dB or more.",
            header: ["Microphones, scene, degrees/s", "of", "best", "dB", "\(favourite.name), dB"])
        var (found, cells) = (0, 0)
        for microphones in turned {
            for scene in plan.scenes {
                for speed in plan.speeds {
                    let row = row(microphones, scene.name, speed)
                    guard let own = row.first(where: { $0.method == favourite }) else { continue }
                    for (what, figure) in [("mean", \TurnFigures.level.all.mean), ("p95", \.level.all.p95)] {
                        cells += 1
                        guard let best = row.min(by: { $0[keyPath: figure] < $1[keyPath: figure] }),
                            best[keyPath: figure] <= own[keyPath: figure] - 0.01
                        else { continue }
                        found += 1
                        let cells = [
                            what, best.method.name, ReportNumbers.level(best[keyPath: figure]),
                            ReportNumbers.level(own[keyPath: figure]),
                        ]
                        table.add(
                            "\(microphones), \(scene.name), \(ReportNumbers.whole(speed))",
                            cells.map { .init(text: $0) })
                    }
                }
            }
        }
        guard found > 0 else {
            return "<p>No method is better than \(favourite.name) in any of \(cells) figures (mean and 95th "
                + "percentile) of the level error while the head turns.</p>"
        }
        return "<details><summary>In \(found) of \(cells) figures (mean and 95th percentile of the level error) "
            + "another method is better than \(favourite.name).</summary>\n\(table.html)\n</details>"
    }
}
