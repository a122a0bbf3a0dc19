internal import Binaural

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
