import Foundation

/// Power spectrum by a plain Fourier transform of radix two, which shares no code with the program.
struct Spectrum {
    /// Power of each bin from 0 Hz to half the rate.
    let power: [Double]
    /// Hertz from bin to bin.
    let step: Double

    /// - Parameters:
    ///   - count: power of two, at least the number of samples; the rest is zeros.
    ///   - isWindowed: applies a Blackman-Harris window (-92 dB, eight bins wide) over the samples, normalized so that a
    ///     tone of amplitude 1 has power 1.
    init(_ samples: ArraySlice<Float>, count: Int, isWindowed: Bool = false, rate: Double = 48_000) {
        var re = samples.map(Double.init) + [Double](repeating: 0, count: count - samples.count)
        var im = [Double](repeating: 0, count: count)
        if isWindowed {
            for n in 0..<samples.count {
                let turn = 2 * Double.pi * (Double(n) + 0.5) / Double(samples.count)
                let window = 0.35875 - 0.48829 * cos(turn) + 0.14128 * cos(2 * turn) - 0.01168 * cos(3 * turn)
                re[n] *= window * 2 / (0.35875 * Double(samples.count))
            }
        }
        Self.transform(&re, &im)
        power = (0...count / 2).map { (line: Int) -> Double in re[line] * re[line] + im[line] * im[line] }
        step = rate / Double(count)
    }

    /// Largest magnitude at and between the samples: the sum of sines through them, at sixteen times the rate.
    static func truePeak(_ samples: [Float]) -> Double {
        var count = 1
        while count < samples.count + 256 { count *= 2 }
        var re = samples.map(Double.init) + [Double](repeating: 0, count: count - samples.count)
        var im = [Double](repeating: 0, count: count)
        transform(&re, &im)
        let times = 16
        var (wide, other) = ([Double](repeating: 0, count: times * count), [Double](repeating: 0, count: times * count))
        // A transform of the spectrum is the sound backwards, which has the same peak. The positive half has the whole of it.
        for k in 1..<count / 2 { (wide[k], other[k]) = (2 * re[k] / Double(count), 2 * im[k] / Double(count)) }
        wide[0] = re[0] / Double(count)
        wide[count / 2] = re[count / 2] / Double(count)
        // A conjugate spectrum, so that the real part of the result is the sound.
        for k in other.indices { other[k] = -other[k] }
        transform(&wide, &other)
        return wide.reduce(0) { max($0, abs($1)) }
    }

    /// Decimation in time, in place (Cooley and Tukey 1965).
    private static func transform(_ re: inout [Double], _ im: inout [Double]) {
        let count = re.count
        var to = 0
        for from in 1..<count {
            var bit = count >> 1
            while to & bit != 0 {
                to ^= bit
                bit >>= 1
            }
            to |= bit
            if from < to {
                re.swapAt(from, to)
                im.swapAt(from, to)
            }
        }
        var span = 1
        while span < count {
            let turns = (0..<span).map { (cos(.pi * Double($0) / Double(span)), -sin(.pi * Double($0) / Double(span))) }
            for start in stride(from: 0, to: count, by: 2 * span) {
                for k in 0..<span {
                    let (a, b) = (start + k, start + k + span)
                    let (x, y) = (re[b] * turns[k].0 - im[b] * turns[k].1, re[b] * turns[k].1 + im[b] * turns[k].0)
                    (re[b], im[b]) = (re[a] - x, im[a] - y)
                    (re[a], im[a]) = (re[a] + x, im[a] + y)
                }
            }
            span *= 2
        }
    }

    /// Bins between two frequencies.
    func bins(_ range: ClosedRange<Double>) -> ClosedRange<Int> {
        Int((range.lowerBound / step).rounded(.up))...min(power.count - 1, Int(range.upperBound / step))
    }

    /// Peakiness of the spectrum: E[p²] / E[p]² of the power p divided by its mean over 100 Hz around, which is
    /// E[|X|⁴] / E[|X|²]² against the envelope: 2 for Gaussian noise, more where single resonances stand out.
    func peakiness(_ range: ClosedRange<Double>) -> Double {
        var sums = [0.0]
        for p in power { sums.append(sums.last! + p) }
        let half = Int(50 / step)
        var (first, second) = (0.0, 0.0)
        let bins = bins(range)
        for i in bins {
            let (low, high) = (max(0, i - half), min(power.count, i + half + 1))
            let p = power[i] / ((sums[high] - sums[low]) / Double(high - low))
            first += p
            second += p * p
        }
        return second * Double(bins.count) / (first * first)
    }
}
