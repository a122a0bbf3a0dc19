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
