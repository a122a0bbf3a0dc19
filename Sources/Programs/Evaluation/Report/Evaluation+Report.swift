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
