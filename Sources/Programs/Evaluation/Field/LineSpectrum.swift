internal import DSP
internal import Glibc

/// The spectrum of a periodic signal: one complex line at every multiple of one over the period, from 0 Hz.
///
/// Time convention e^(+iwt). Single precision, separate real and imaginary parts.
public struct LineSpectrum: Sendable {
    public var re: [Float]
    public var im: [Float]

    public var count: Int { re.count }

    /// Makes a spectrum of zeros.
    public init(lines: Int) {
        re = [Float](repeating: 0, count: lines)
        im = re
    }

    /// Returns noise: magnitude 1 from `range.lowerBound` to `range.upperBound` and random phases.
    ///
    /// - Parameters:
    ///   - range: lines.
    ///   - stream: stream of the random numbers.
    public static func noise(lines: Int, range: ClosedRange<Int>, seed: UInt64, stream: UInt64) -> LineSpectrum {
        var random = SeededRandom(seed: seed, stream: stream)
        var noise = LineSpectrum(lines: lines)
        for line in range {
            let phase = 2 * .pi * random.unit()
            noise.re[line] = Float(cos(phase))
            noise.im[line] = Float(sin(phase))
        }
        return noise
    }

    /// The squared magnitude of every line.
    public var powers: [Float] {
        [Float](unsafeUninitializedCapacity: count) { memory, initialized in
            for line in 0..<count { memory[line] = re[line] * re[line] + im[line] * im[line] }
            initialized = count
        }
    }

    /// Returns the product with `other`, line by line.
    public func times(_ other: LineSpectrum) -> LineSpectrum {
        var product = LineSpectrum(lines: count)
        for line in 0..<count {
            product.re[line] = re[line] * other.re[line] - im[line] * other.im[line]
            product.im[line] = re[line] * other.im[line] + im[line] * other.re[line]
        }
        return product
    }

    /// Returns the product with the conjugate of `other`, line by line.
    public func timesConjugate(_ other: LineSpectrum) -> LineSpectrum {
        var product = LineSpectrum(lines: count)
        for line in 0..<count {
            product.re[line] = re[line] * other.re[line] + im[line] * other.im[line]
            product.im[line] = im[line] * other.re[line] - re[line] * other.im[line]
        }
        return product
    }
}

/// Transform between one period of a signal and its ``LineSpectrum``. Not thread-safe.
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

    /// Synthesises one period of the sum of all lines, scaled so that ``lines(of:from:count:)`` is the inverse.
    /// - Parameter use: called with the period, valid during the call.
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

    /// Returns the first `count` lines.
    ///
    /// - Parameters:
    ///   - signal: at least one period of the signal.
    ///   - first: place in `signal` at which the transformed period begins; phases refer to `signal[0]`.
    func lines(of signal: [Float], from first: Int = 0, count: Int) -> LineSpectrum {
        for place in first..<first + period { time[place % period] = signal[place] }
        return forward(count)
    }

    /// Returns the first `count` lines of `period` samples from `first` on, weighted by `window`.
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
