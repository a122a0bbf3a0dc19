internal import Glibc

/// Interaural differences, the cues of horizontal localisation.
enum InterauralDifference {
    /// Frequency range in Hz for time differences, in which hearing uses the waveform's phase.
    static let timeRange = 100.0...1500.0

    /// Delay of the right ear against the left, microseconds: the maximum of the cross-correlation of both, as
    /// far as it lies in 100 to 1500 Hz, within 1.2 ms.
    static func time(left: LineSpectrum, right: LineSpectrum, spacing: Double) -> Double {
        let cross = left.timesConjugate(right)
        let lines = Int(clamping: (timeRange.lowerBound / spacing).rounded(.up))...Int(clamping: timeRange.upperBound / spacing)
        func correlation(_ microseconds: Double) -> Double {
            // A right ear delayed by t has the phase -wt, so the product with its conjugate has +wt.
            let turn = -2 * .pi * spacing * microseconds * 1e-6
            let (stepRe, stepIm) = (cos(turn), sin(turn))
            var (re, im) = (cos(turn * Double(lines.lowerBound)), sin(turn * Double(lines.lowerBound)))
            var sum = 0.0
            for line in lines {
                sum += Double(cross.re[line]) * re - Double(cross.im[line]) * im
                (re, im) = (re * stepRe - im * stepIm, re * stepIm + im * stepRe)
            }
            return sum
        }
        let step = 20.0
        let grid = (-60...60).map { correlation(Double($0) * step) }
        let best = (1..<grid.count - 1).max { grid[$0] < grid[$1] } ?? 60
        let (before, here, after) = (grid[best - 1], grid[best], grid[best + 1])
        let curve = before - 2 * here + after
        let shift = curve < 0 ? 0.5 * (before - after) / curve : 0
        return (Double(best - 60) + max(-1, min(1, shift))) * step
    }

    /// Returns the level of left relative to right in each band, dB.
    static func levels(left: [Double], right: [Double]) -> [Double] {
        zip(left, right).map { 10 * log10($0 / $1) }
    }
}

/// Measures the interaural time difference of envelopes, which hearing uses where it no longer follows the waveform.
/// For one thread at a time.
final class EnvelopeDelay {
    /// Frequency range in Hz of the sound whose envelope is taken.
    static let range = 4000.0...12_000.0

    private let transform: PeriodicTransform
    private let spacing: Double

    /// - Parameter spacing: distance of the lines, Hz.
    init(period: Int, spacing: Double) {
        transform = PeriodicTransform(period: period)
        self.spacing = spacing
    }

    /// Delay of the right ear's envelope against the left one's, microseconds: the maximum of the cross-correlation of both, of
    /// fluctuations at 100 to 1500 Hz, within 1.2 ms.
    func time(left: LineSpectrum, right: LineSpectrum) -> Double {
        InterauralDifference.time(left: envelope(left), right: envelope(right), spacing: spacing)
    }

    /// Returns the spectrum of the magnitude of the analytic signal in ``range``.
    private func envelope(_ ear: LineSpectrum) -> LineSpectrum {
        var (real, imaginary) = (LineSpectrum(lines: ear.count), LineSpectrum(lines: ear.count))
        for line in 0..<ear.count where Self.range.contains(Double(line) * spacing) {
            (real.re[line], real.im[line]) = (ear.re[line], ear.im[line])
            (imaginary.re[line], imaginary.im[line]) = (ear.im[line], -ear.re[line])
        }
        var magnitudes = samples(real)
        for (place, sample) in samples(imaginary).enumerated() { magnitudes[place] = hypotf(magnitudes[place], sample) }
        return transform.lines(of: magnitudes, count: ear.count)
    }

    private func samples(_ lines: LineSpectrum) -> [Float] {
        transform.synthesise(lines) { Array(UnsafeBufferPointer(start: $0, count: transform.period)) }
    }
}
