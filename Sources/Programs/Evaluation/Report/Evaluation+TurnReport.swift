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
