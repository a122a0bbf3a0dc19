internal import Binaural
internal import Glibc

/// What a method does to every ear and every direction alike: its latency, and the phase of its crossover.
///
/// Found where no method has anything to interpolate: an ear exactly at a microphone. It is taken out before complex
/// errors are measured, and level errors do not notice it.
public struct CommonResponse: Sendable {
    /// Samples.
    public let latency: Int
    /// One at every line, turned by the response's phase.
    let phase: LineSpectrum

    /// Frames before the measured ones, for filters and crossfades to come to rest.
    static let settling = 4096

    /// The longest latency that is looked for, samples.
    private static let longest = 4096

    init(_ renderer: EarRenderer, _ microphones: SphereMicrophones, plan: EvaluationPlan) {
        let array = renderer.array
        let place = Double(array.azimuths[0])
        let lines = EvaluationPlan.lines(period: plan.period)
        var sum = LineSpectrum(lines: lines)
        for source in 0..<6 {
            let azimuth = 60 * Double(source) + 10
            let noise = LineSpectrum.noise(
                lines: lines, range: 1...lines - 1, seed: plan.seed, stream: UInt64(0x20000 + source))
            let rendered = renderer.render(
                microphones: microphones.signals(noise, azimuth: azimuth), frames: Self.settling + plan.period,
                yaws: [{ _ in place - 90 }])
            let exact = microphones.exact(noise, azimuth: azimuth, at: place)
            let ratio = microphones.spectrum(rendered[0]).timesConjugate(exact)
            for line in 0..<lines {
                sum.re[line] += ratio.re[line]
                sum.im[line] += ratio.im[line]
            }
        }
        latency = Self.latency(sum, spacing: EarRenderer.rate / Double(plan.period))
        for line in 0..<lines {
            let size = hypot(sum.re[line], sum.im[line])
            sum.re[line] = size > 0 ? sum.re[line] / size : 1
            sum.im[line] = size > 0 ? sum.im[line] / size : 0
        }
        phase = sum
    }

    /// Of a method that is late, and leads to other ears than those at its microphones: nothing but the delay.
    init(latency: Int, plan: EvaluationPlan) {
        let lines = EvaluationPlan.lines(period: plan.period)
        self.latency = latency
        var phase = LineSpectrum(lines: lines)
        for line in 0..<lines {
            let turn = -2 * .pi * Double(line * latency % plan.period) / Double(plan.period)
            phase.re[line] = Float(cos(turn))
            phase.im[line] = Float(sin(turn))
        }
        self.phase = phase
    }

    /// The delay that makes the lines from 10 to 16 kHz add up best: there, the crossovers' phases are level.
    private static func latency(_ response: LineSpectrum, spacing: Double) -> Int {
        let lines = Int(10_000 / spacing)...Int(16_000 / spacing)
        func sum(_ delay: Int) -> Double {
            let turn = 2 * .pi * spacing * Double(delay) / EarRenderer.rate
            let (stepRe, stepIm) = (cos(turn), sin(turn))
            var (re, im, sumRe, sumIm) = (1.0, 0.0, 0.0, 0.0)
            for line in lines {
                sumRe += Double(response.re[line]) * re - Double(response.im[line]) * im
                sumIm += Double(response.re[line]) * im + Double(response.im[line]) * re
                (re, im) = (re * stepRe - im * stepIm, re * stepIm + im * stepRe)
            }
            return hypot(sumRe, sumIm)
        }
        return (0..<longest).map { (delay: $0, sum: sum($0)) }.max { $0.sum < $1.sum }!.delay
    }
}
