import Binaural
import Evaluation
import Testing

/// The time between the envelopes of both ears, 4 to 12 kHz, of noise from all directions of the horizon.
@Suite struct EnvelopeTests {
    static func rms(_ microphones: Int, _ method: InterpolationMethod, displacement: Double = 0) -> Double {
        var plan = EvaluationPlan()
        plan.period = 4096
        plan.sources = 30
        let figures = StaticEvaluation(plan, displacement: displacement).run(microphones: microphones, method).envelopeTime
        print("seed \(plan.seed), \(microphones) microphones, \(method.name):", figures)
        return figures.rms
    }

    /// The distance between an ear and its nearest microphone sets the limit: 97, 49 and 25 us with 8, 16 and 32 microphones
    /// (`benchmarks/sound/envelope_delay.py`). A delay that does not depend on the source changes nothing: it has opposite effects
    /// on sources in front and behind.
    @Test(arguments: [(InterpolationMethod.nearest, 16, 44.0...54), (.ringSpectral, 8, 0...84), (.ringSpectral, 16, 0...46)])
    func theErrorIsThatOfTheNearestMicrophone(_ method: InterpolationMethod, _ microphones: Int, _ range: ClosedRange<Double>) {
        let found = Self.rms(microphones, method)
        #expect(range.contains(found), "\(method.name), \(microphones) microphones: \(found) us")
    }

    /// Negative control: ears displaced by ten degrees.
    @Test func displacedEarsAreDetected() {
        #expect(Self.rms(32, .ringSpectral, displacement: 10) > 60)
    }
}
