internal import DSP

/// Between one period of a signal and its ``LineSpectrum``. For one thread at a time.
final class PeriodicTransform {
    /// Samples per period.
    let period: Int
    private let transform: FourierTransform
    private let time: UnsafeMutablePointer<Float>
    private let spectrum: UnsafeMutablePointer<Float>

    init(period: Int) {
        self.period = period
        transform = FourierTransform(count: period)
        time = .allocateAligned(period)
        spectrum = .allocateAligned(transform.stride)
    }

    deinit {
        time.deallocate()
        spectrum.deallocate()
    }

    /// One period of the sum of all lines, scaled so that ``lines(of:count:)`` gives them back.
    /// - Parameter use: gets the period, which is gone afterwards.
    func synthesise<Result>(_ lines: LineSpectrum, use: (UnsafePointer<Float>) -> Result) -> Result {
        let scale = 1 / Float(period)
        spectrum.update(repeating: 0, count: 2 * transform.bins)
        for line in 0..<lines.count {
            spectrum[2 * line] = lines.re[line] * scale
            spectrum[2 * line + 1] = lines.im[line] * scale
        }
        transform.inverse(spectrum, into: time)
        return use(time)
    }

    /// The first `count` lines.
    ///
    /// - Parameters:
    ///   - signal: a period of it and perhaps more.
    ///   - first: where in `signal` the period begins that is taken; `signal[0]` is the period's beginning.
    func lines(of signal: [Float], from first: Int = 0, count: Int) -> LineSpectrum {
        for place in first..<first + period { time[place % period] = signal[place] }
        return forward(count)
    }

    /// The first `count` lines of `period` samples from `first` on, weighted by `window`.
    func lines(of signal: [Float], from first: Int, window: [Float], count: Int) -> LineSpectrum {
        for place in 0..<period { time[place] = signal[first + place] * window[place] }
        return forward(count)
    }

    private func forward(_ count: Int) -> LineSpectrum {
        transform.forward(time, into: spectrum)
        var lines = LineSpectrum(lines: count)
        for line in 0..<count {
            lines.re[line] = spectrum[2 * line]
            lines.im[line] = spectrum[2 * line + 1]
        }
        return lines
    }
}
