internal import Binaural

extension Evaluation {
    var sensorSummary: String {
        var table = CSVTable(
            [
                "microphones", "method", "noise_db", "noise_low_db", "noise_middle_db", "noise_high_db", "rolled_noise_db",
                "ideal_mean_db", "gain_mean_db", "gain_p95_db", "position_mean_db", "position_p95_db",
            ])
        let number = CSVTable.number
        for figures in sensors {
            let noise = [0..<Double.infinity, 0..<1500, 1500..<5000, 5000..<Double.infinity].map { number(figures.noise(in: $0)) }
            table.add(
                "\(figures.microphones)", figures.method.name, noise.joined(separator: ","),
                number(figures.rolledNoise(in: 0..<Double.infinity)), number(figures.ideal.all.mean), number(figures.gains.all.mean),
                number(figures.gains.all.p95), number(figures.positions.all.mean),
                number(figures.positions.all.p95))
        }
        return table.text
    }

    var sensorBands: String {
        var table = CSVTable(["microphones", "method", "band_hz", "noise_db", "rolled_noise_db", "gain_mean_db", "position_mean_db"])
        let number = CSVTable.number
        for figures in sensors {
            for (band, centre) in FrequencyBands.erb.centres.enumerated() {
                table.add(
                    "\(figures.microphones)", figures.method.name, number(centre), number(figures.noise[band]),
                    number(figures.rolledNoise[band]), number(figures.gainBands[band].mean), number(figures.positionBands[band].mean))
            }
        }
        return table.text
    }
}
