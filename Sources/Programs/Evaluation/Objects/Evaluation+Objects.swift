internal import Binaural

extension Evaluation {
    /// Name of the CSV file about sound objects, which only plans that ask for them have.
    public static let objectsName = "objects.csv"

    private static func kinds(_ figures: ObjectFigures) -> [(name: String, errors: ObjectFigures.Errors)] {
        [("array-direct", figures.direct), ("array-exact", figures.exact), ("direct-exact", figures.directExact)]
    }

    var objectSummary: String {
        var table = CSVTable([
            "microphones", "method", "compared", "mean_db", "low_db", "middle_db", "high_db", "p95_db", "itd_mean_us", "itd_p95_us",
        ])
        let number = CSVTable.number
        for figures in objects {
            for (name, errors) in Self.kinds(figures) {
                let level = errors.level
                table.add(
                    "\(figures.microphones)", figures.method.name, name,
                    [level.all.mean, level.low.mean, level.middle.mean, level.high.mean, level.all.p95].map(number)
                        .joined(separator: ","), number(errors.time.mean), number(errors.time.p95))
            }
        }
        return table.text
    }

    /// Section of the report about sound objects; empty without their figures.
    var objectSection: String {
        guard !objects.isEmpty else { return "" }
        var table = ReportTable(
            "Objects that are encoded onto the array and decoded by the method (<code>array</code>), and objects that are rendered for the "
                + "listener (<code>direct</code>). Level: mean error over ERB bands and directions, dB; ITD: mean error, \u{00B5}s. Small "
                + "print: level below 1.5 kHz / 1.5 to 5 kHz / above 5 kHz; 95th percentile of the ITD.",
            header: ["Microphones, method"]
                + ["array against direct", "array against the sphere", "direct against the sphere"].flatMap { ["\($0): level", "ITD"] })
        for (index, figures) in objects.enumerated() {
            let begins = index == 0 || objects[index - 1].microphones != figures.microphones
            table.add(
                "\(figures.microphones) \(figures.method.name)", Self.kinds(figures).flatMap { Self.cells($0.errors) }, begins: begins)
        }
        return "<h2>Sound objects through the array</h2>\n\(table.html)"
    }

    private static func cells(_ errors: ObjectFigures.Errors) -> [ReportTable.Cell] {
        let regions = [errors.level.low, errors.level.middle, errors.level.high].map { ReportNumbers.level($0.mean) }
        return [
            .init(text: ReportNumbers.level(errors.level.all.mean), note: regions.joined(separator: " / ")),
            .init(text: ReportNumbers.whole(errors.time.mean), note: ReportNumbers.whole(errors.time.p95)),
        ]
    }
}
