import Binaural
import Evaluation
import Foundation
import Testing

/// Sound objects through the array, measured beside objects that are rendered directly, and beside the exact sphere.
@Suite struct ObjectEvaluationTests {
    private static var plan: EvaluationPlan {
        var plan = EvaluationPlan()
        plan.microphones = [16]
        plan.methods = [.nearest, .ringSpectral, .hrtf]
        plan.period = 4096
        plan.tiltSources = 12
        return plan
    }

    @Test func theArrayIsAsGoodAsItsMethod() {
        let measured = ObjectEvaluation(Self.plan)
        let (nearest, ring) = (measured.run(microphones: 16, .nearest), measured.run(microphones: 16, .ringSpectral))
        for figures in [nearest, ring] {
            print(
                figures.method.name, "array against direct:", figures.direct.level.all.mean, "dB,", figures.direct.time.mean,
                "us; against the sphere:", figures.exact.level.all.mean, "dB,", figures.exact.time.mean, "us; direct:",
                figures.directExact.level.all.mean, "dB,", figures.directExact.time.mean, "us")
        }
        // Below 1.5 kHz nothing but the encoding errs, and the method's time is exact.
        #expect(ring.exact.level.low.mean < 0.6 && ring.exact.time.mean < 12)
        #expect(ring.direct.level.all.mean < 1.5 && ring.direct.level.all.mean > 0.1)
        #expect(ring.exact.level.all.mean < 1.2)
        // The negative case: ears that are up to a quarter of a sector away.
        #expect(nearest.exact.time.mean > 1.5 * ring.exact.time.mean)
    }

    @Test func theTableHasAllThatWasCompared() throws {
        var plan = Self.plan
        plan.methods = [.nearest, .hrtf]
        plan.measuresObjects = true
        (plan.period, plan.sources, plan.turnPeriod, plan.takes, plan.speeds) = (2048, 4, 8192, 1, [180])
        plan.scenes = [StimulusScene.all[1]]
        (plan.tilts, plan.sensorTakes, plan.sensorSources) = ([HeadTilt(roll: 30)], 1, 1)
        let evaluation = Evaluation(plan)
        let template = try EvaluationTests.template()
        // The method hrtf needs filters of a listener.
        #expect(evaluation.objects.map(\.method) == [.nearest])
        let table = evaluation.csvFiles.first { $0.name == "objects.csv" }?.text.split(separator: "\n") ?? []
        #expect(table.count == 4 && table[1].hasPrefix("16,nearest,array-direct,"))
        #expect(evaluation.html(template).contains("Sound objects through the array"))
        plan.measuresObjects = false
        plan.methods = [.nearest]
        let without = Evaluation(plan)
        #expect(without.objects.isEmpty && without.csvFiles.count == 8)
        #expect(!without.html(template).contains("Sound objects through the array"))
    }
}
