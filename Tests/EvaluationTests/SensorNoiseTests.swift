import Binaural
import Evaluation
import Testing

/// Noise of the microphones at the ear in single bands, of upright and rolled heads, and the settings of the measurement.
@Suite struct SensorNoiseTests {
    static func plan(_ methods: [InterpolationMethod]) -> EvaluationPlan {
        var plan = EvaluationPlan.quick
        plan.microphones = [16]
        plan.methods = methods
        plan.period = 2048
        plan.sources = 4
        plan.turnPeriod = 8192
        plan.takes = 1
        plan.sensorTakes = 4
        plan.sensorSources = 1
        plan.speeds = [180]
        plan.scenes = [StimulusScene.all[0]]
        return plan
    }

    /// Highest level in a band, dB relative to the noise of one microphone, of an upright head and of one rolled by 45 degrees.
    /// Higher figures would mean filters that amplify noise to follow the field.
    @Test(arguments: [(InterpolationMethod.ringSpectral, 0.8, 0.8), (.hrtf, 4.0, 4.0), (.nearest, 0.5, 0.5)])
    func noiseIsBoundedInEveryBand(_ method: InterpolationMethod, _ upright: Double, _ rolled: Double) {
        let plan = Self.plan([method])
        let figures = SensorEvaluation(plan).run(microphones: 16, method)
        print("seed \(plan.seed), \(method.name), upright:", figures.noise.map { ($0 * 10).rounded() / 10 })
        print("seed \(plan.seed), \(method.name), rolled:", figures.rolledNoise.map { ($0 * 10).rounded() / 10 })
        #expect(figures.noise.count == 37 && figures.rolledNoise.count == 37)
        #expect(figures.noise.max()! < upright && figures.rolledNoise.max()! < rolled)
    }

    /// Errors of 1 dB and 2 degrees unless the plan says otherwise, as the report states above its table.
    @Test func theReportStatesTheErrors() throws {
        #expect(EvaluationPlan().sensorGain == 1 && EvaluationPlan().sensorPosition == 2)
        #expect(EvaluationPlan.quick.sensorGain == 1 && EvaluationPlan.quick.sensorPosition == 2)
        let evaluation = Evaluation(Self.plan([.nearest]))
        let report = evaluation.html(try EvaluationTests.template())
        #expect(report.contains("with gain errors of 1.0 dB and with position errors of 2.0\u{00B0} (standard deviations)"))
        for header in ["noise, dB", "noise when rolled, dB", "ideal, dB", "gain errors, dB", "position errors, dB", "envelope, \u{00B5}s"] {
            #expect(report.contains(">\(header)</th>"), "\(header)")
        }
        let tables = Dictionary(uniqueKeysWithValues: evaluation.csvFiles.map { ($0.name, $0.text) })
        #expect(
            tables["sensor-bands.csv"]!.hasPrefix("microphones,method,band_hz,noise_db,rolled_noise_db,gain_mean_db,position_mean_db\n"))
    }
}
