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
