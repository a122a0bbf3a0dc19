internal import Binaural

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
