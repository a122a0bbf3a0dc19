internal import Binaural

extension Evaluation {
    var tiltSummary: String {
        var table = CSVTable([
            "microphones", "method", "roll", "pitch", "itd_mean_us", "itd_p95_us", "side_itd_us", "side_itd_exact_us", "mean_db",
            "low_db", "middle_db", "high_db", "p95_db",
        ])
        let number = CSVTable.number
        for figures in tilts {
            let level = figures.level
            table.add(
                "\(figures.microphones)", figures.method.name, number(figures.tilt.roll), number(figures.tilt.pitch),
                number(figures.time.mean), number(figures.time.p95), number(figures.side.rendered), number(figures.side.exact),
                [level.all.mean, level.low.mean, level.middle.mean, level.high.mean, level.all.p95].map(number)
                    .joined(separator: ","))
        }
        return table.text
    }
}
