internal import Binaural
internal import Foundation

extension Evaluation {
    /// Names of the CSV files.
    static let csvNames = [
        "static.csv", "static-bands.csv", "complex.csv", "moving.csv", "moving-bands.csv", "sensors.csv", "sensor-bands.csv",
        "tilt.csv",
    ]

    /// Names of the CSV files of a plan.
    public static func names(_ plan: EvaluationPlan) -> [String] { csvNames + (plan.measuresObjects ? [objectsName] : []) }

    /// Names and contents of the CSV files.
    public var csvFiles: [(name: String, text: String)] {
        let tables = [summary, staticBands, complexErrors, moving, movingBands, sensorSummary, sensorBands, tiltSummary]
        return Array(zip(Self.names(plan), tables + (plan.measuresObjects ? [objectSummary] : [])))
    }

    private static func level(_ level: RegionStatistics) -> String {
        [level.all.mean, level.low.mean, level.middle.mean, level.high.mean, level.all.p95, level.all.bias]
            .map(CSVTable.number).joined(separator: ",")
    }

    private static let levelHeader = ["mean_db", "low_db", "middle_db", "high_db", "p95_db", "bias_db"]

    private var summary: String {
        var table = CSVTable(
            ["microphones", "method", "latency_samples"] + Self.levelHeader + [
                "first_complex_error_hz", "itd_mean_us", "itd_p95_us", "itd_bias_us", "envelope_itd_rms_us", "ild_mean_db", "ild_p95_db",
                "reference_mean_db", "reference_p95_db",
            ])
        let number = CSVTable.number
        for figures in statics {
            let reference = ReferenceFigures.find(microphones: figures.microphones, method: figures.method.name)
            table.add(
                "\(figures.microphones)", figures.method.name, "\(figures.latency)", Self.level(figures.level),
                number(figures.firstComplexError), number(figures.time.mean), number(figures.time.p95),
                number(figures.time.bias), number(figures.envelopeTime.rms), number(figures.interauralLevel.mean),
                number(figures.interauralLevel.p95),
                number(reference?.all), number(reference?.p95))
        }
        return table.text
    }

    private var staticBands: String {
        var table = CSVTable(["microphones", "method", "scale", "band_hz", "mean_db", "p95_db", "bias_db"])
        for figures in statics {
            for (bands, errors) in [(FrequencyBands.erb, figures.erb), (.thirdOctaves, figures.thirdOctaves)] {
                for (centre, error) in zip(bands.centres, errors) {
                    table.add(
                        "\(figures.microphones)", figures.method.name, bands.name, CSVTable.number(centre),
                        CSVTable.number(error.mean), CSVTable.number(error.p95), CSVTable.number(error.bias))
                }
            }
        }
        return table.text
    }

    private var complexErrors: String {
        var table = CSVTable(["microphones", "method", "band_hz", "error_db"])
        for figures in statics {
            for (centre, error) in zip(FrequencyBands.erb.centres, figures.complexError) {
                table.add(
                    "\(figures.microphones)", figures.method.name, CSVTable.number(centre), CSVTable.number(error))
            }
        }
        return table.text
    }

    private var moving: String {
        var table = CSVTable(
            ["microphones", "method", "scene", "degrees_per_second"] + Self.levelHeader + [
                "modulation_border_db", "modulation_away_db", "click_border_db", "click_away_db",
                "click_border_exact_db", "click_away_exact_db",
            ])
        let number = CSVTable.number
        for turn in turns {
            table.add(
                "\(turn.microphones)", turn.method.name, turn.scene, number(turn.speed), Self.level(turn.level),
                number(turn.modulation.near), number(turn.modulation.away), number(turn.clicks.near),
                number(turn.clicks.away), number(turn.exactClicks.near), number(turn.exactClicks.away))
        }
        return table.text
    }

    private var movingBands: String {
        var table = CSVTable(
            ["microphones", "method", "scene", "degrees_per_second", "band_hz", "mean_db", "p95_db", "bias_db"])
        for turn in turns {
            for (centre, error) in zip(FrequencyBands.erb.centres, turn.erb) {
                table.add(
                    "\(turn.microphones)", turn.method.name, turn.scene, CSVTable.number(turn.speed),
                    CSVTable.number(centre), CSVTable.number(error.mean), CSVTable.number(error.p95),
                    CSVTable.number(error.bias))
            }
        }
        return table.text
    }
}

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

/// A CSV table: one header, one line per row, a decimal point in numbers.
public struct CSVTable {
    public private(set) var text: String

    public init(_ header: [String]) { text = header.joined(separator: ",") + "\n" }

    public mutating func add(_ cells: String...) { text += cells.joined(separator: ",") + "\n" }

    /// Formats a number with four decimals; returns an empty string when there is no value.
    public static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        let text = String(format: "%.4f", value)
        return text == "-0.0000" ? "0.0000" : text
    }
}
