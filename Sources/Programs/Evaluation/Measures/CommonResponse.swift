internal import Binaural
internal import Glibc

/// Response of a method that is common to every ear and direction: its latency, and the phase of its crossover.
///
/// Measured with an ear exactly at a microphone, where no method interpolates. It is removed before complex errors are
/// measured; level errors are not affected.
public struct CommonResponse: Sendable {
    /// Latency in samples.
    public let latency: Int
    /// Unit magnitude with the response's phase at every line.
    let phase: LineSpectrum

    /// Frames before the measurement, for filters and crossfades to settle.
    static let settling = 4096

    /// Longest latency searched for, in samples.
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

    /// Response of a method that reproduces other ears than those at the microphones: the delay alone.
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

    /// Returns the delay for which the lines from 10 to 16 kHz add up best: there the crossovers' phases are flat.
    private static func latency(_ response: LineSpectrum, spacing: Double) -> Int {
        let lines = Int(clamping: 10_000 / spacing)...Int(clamping: 16_000 / spacing)
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
