internal import Glibc

#if !canImport(CFFTW)
/// Where FFTW is not available, as in browsers.
public typealias FourierTransform = RadixTransform
#endif

/// Discrete Fourier transform of real signals of one length in single precision, without a library: the interface of FourierTransform,
/// and its results within rounding, for lengths that are powers of two.
///
/// A complex transform of half the length by Stockham's method: radix 4, and one stage of radix 2 where the length asks for it. It needs
/// no reordering, and every stage but the first works on adjacent samples. Working memory belongs to the value: one thread at a time.
public struct RadixTransform: ~Copyable, Sendable {
    /// Samples per transform.
    public let count: Int
    /// Complex bins of a spectrum, from 0 Hz to half the rate: `count / 2 + 1`.
    public var bins: Int { count / 2 + 1 }
    /// Floats from one spectrum to the next in a buffer of several, each aligned.
    public var stride: Int { (2 * bins + 15) & ~15 }

    /// Complex samples of the inner transform.
    private let half: Int
    // SAFETY: the three are owned by this value alone, which cannot be copied. Four rows of `half` floats: real and imaginary parts
    // before a stage, and after it.
    private nonisolated(unsafe) let work: UnsafeMutablePointer<Float>
    // SAFETY: as above. For every stage of radix 4 and place: real parts of three factors, then imaginary parts.
    private nonisolated(unsafe) let factors: UnsafeMutablePointer<Float>
    // SAFETY: as above. cos and sin of 2 pi k / count.
    private nonisolated(unsafe) let turns: UnsafeMutablePointer<Float>

    /// - Parameter count: number of samples, a power of two from 32 on.
    public init(count: Int) {
        precondition(count >= 32 && count & (count - 1) == 0, "a transform has a power of two samples, at least 32")
        self.count = count
        half = count / 2
        work = .allocateAligned(4 * half)
        factors = .allocateAligned(2 * half + 16)
        turns = .allocateAligned(2 * half)
        var place = factors
        var rest = half
        while rest >= 4 {
            let quarter = rest / 4
            for j in 0..<quarter {
                for k in 1...3 {
                    let angle = -2 * Double.pi * Double(j * k) / Double(rest)
                    place[(k - 1) * quarter + j] = Float(cos(angle))
                    place[(k + 2) * quarter + j] = Float(sin(angle))
                }
            }
            place += 6 * quarter
            rest = quarter
        }
        for k in 0..<half {
            let angle = 2 * Double.pi * Double(k) / Double(count)
            turns[k] = Float(cos(angle))
            turns[half + k] = Float(sin(angle))
        }
    }

    deinit {
        work.deallocate()
        factors.deallocate()
        turns.deallocate()
    }

    /// `spectrum[k] = sum over n of time[n] e^(-2 pi i k n / count)`, unscaled. Keeps `time`.
    ///
    /// - Parameters:
    ///   - time: `count` samples.
    ///   - spectrum: `2 * bins` floats: real, imaginary, real...
    @_noLocks @_noAllocation
    public borrowing func forward(_ time: UnsafeMutablePointer<Float>, into spectrum: UnsafeMutablePointer<Float>) {
        let (re, im) = (work, work + half)
        for i in 0..<half {
            re[i] = time[2 &* i]
            im[i] = time[2 &* i &+ 1]
        }
        let z = transform()
        let (zr, zi) = (z, z + half)
        spectrum[0] = zr[0] + zi[0]
        spectrum[1] = 0
        spectrum[count] = zr[0] - zi[0]
        spectrum[count &+ 1] = 0
        for k in 1..<half {
            let (a, b) = (zr[k], zi[k])
            let (c, d) = (zr[half &- k], zi[half &- k])
            let (sumRe, sumIm) = (a + c, b - d)
            let (restRe, restIm) = (a - c, b + d)
            let (cosine, sine) = (turns[k], turns[half &+ k])
            spectrum[2 &* k] = 0.5 * (sumRe + cosine * restIm - sine * restRe)
            spectrum[2 &* k &+ 1] = 0.5 * (sumIm - cosine * restRe - sine * restIm)
        }
    }

    /// The inverse of ``forward(_:into:)`` times `count`: the caller scales, mostly by including `1 / count` in a filter.
    @_noLocks @_noAllocation
    public borrowing func inverse(_ spectrum: UnsafeMutablePointer<Float>, into time: UnsafeMutablePointer<Float>) {
        // The inverse transform is the forward one with real and imaginary parts exchanged.
        let (im, re) = (work, work + half)
        re[0] = spectrum[0] + spectrum[count]
        im[0] = spectrum[0] - spectrum[count]
        for k in 1..<half {
            let (a, b) = (spectrum[2 &* k], spectrum[2 &* k &+ 1])
            let (c, d) = (spectrum[count &- 2 &* k], spectrum[count &- 2 &* k &+ 1])
            let (sumRe, sumIm) = (a + c, b - d)
            let (restRe, restIm) = (a - c, b + d)
            let (cosine, sine) = (turns[k], turns[half &+ k])
            re[k] = sumRe - cosine * restIm - sine * restRe
            im[k] = sumIm + cosine * restRe - sine * restIm
        }
        let z = transform()
        for i in 0..<half {
            time[2 &* i] = z[half &+ i]
            time[2 &* i &+ 1] = z[i]
        }
    }

    /// Transforms the complex samples in the first two rows; returns where the result is.
    @_noLocks @_noAllocation
    private borrowing func transform() -> UnsafeMutablePointer<Float> {
        var (from, to) = (work, work + 2 &* half)
        var place = factors
        var (rest, done) = (half, 1)
        while rest >= 4 {
            let quarter = rest / 4
            if done == 1 { first(from, to, place, quarter) } else { stage(from, to, place, quarter, done) }
            place += 6 &* quarter
            swap(&from, &to)
            done = done &* 4
            rest = quarter
        }
        guard rest == 2 else { return from }
        for row in 0..<2 {
            let (x, y) = (from + row &* half, to + row &* half)
            var k = 0
            while k < done {
                let (a, b) = (x.four(k), x.four(k &+ done))
                y.setFour(k, a + b)
                y.setFour(k &+ done, a - b)
                k = k &+ 4
            }
        }
        return to
    }

    /// The first stage of radix 4: results of four adjacent places are transposed.
    @_noLocks @_noAllocation
    private borrowing func first(
        _ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ w: UnsafeMutablePointer<Float>, _ quarter: Int
    ) {
        let (fromIm, toIm) = (from + half, to + half)
        var j = 0
        while j < quarter {
            let y = Butterfly(from + j, fromIm + j, distance: quarter)
            let (r1, i1) = y.turned(1, w.four(j), w.four(3 &* quarter &+ j))
            let (r2, i2) = y.turned(2, w.four(quarter &+ j), w.four(4 &* quarter &+ j))
            let (r3, i3) = y.turned(3, w.four(2 &* quarter &+ j), w.four(5 &* quarter &+ j))
            Self.transpose(y.re0, r1, r2, r3, to + 4 &* j)
            Self.transpose(y.im0, i1, i2, i3, toIm + 4 &* j)
            j = j &+ 4
        }
    }

    /// A later stage of radix 4, on `done` adjacent samples with the same factors.
    @_noLocks @_noAllocation
    private borrowing func stage(
        _ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ w: UnsafeMutablePointer<Float>, _ quarter: Int,
        _ done: Int
    ) {
        let (fromIm, toIm) = (from + half, to + half)
        for j in 0..<quarter {
            let (c1, s1) = (SIMD4(repeating: w[j]), SIMD4(repeating: w[3 &* quarter &+ j]))
            let (c2, s2) = (SIMD4(repeating: w[quarter &+ j]), SIMD4(repeating: w[4 &* quarter &+ j]))
            let (c3, s3) = (SIMD4(repeating: w[2 &* quarter &+ j]), SIMD4(repeating: w[5 &* quarter &+ j]))
            let (x, y) = (j &* done, 4 &* j &* done)
            var k = 0
            while k < done {
                let sums = Butterfly(from + (x &+ k), fromIm + (x &+ k), distance: quarter &* done)
                let (r1, i1) = sums.turned(1, c1, s1)
                let (r2, i2) = sums.turned(2, c2, s2)
                let (r3, i3) = sums.turned(3, c3, s3)
                to.setFour(y &+ k, sums.re0)
                toIm.setFour(y &+ k, sums.im0)
                to.setFour(y &+ k &+ done, r1)
                toIm.setFour(y &+ k &+ done, i1)
                to.setFour(y &+ k &+ 2 &* done, r2)
                toIm.setFour(y &+ k &+ 2 &* done, i2)
                to.setFour(y &+ k &+ 3 &* done, r3)
                toIm.setFour(y &+ k &+ 3 &* done, i3)
                k = k &+ 4
            }
        }
    }

    /// Writes four vectors so that their first samples come first.
    @_noLocks @_noAllocation @inline(__always)
    private static func transpose(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>, _ to: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<4 { to.setFour(4 &* i, SIMD4(a[i], b[i], c[i], d[i])) }
    }
}

/// Sums of four samples at equal distances, for four places at a time: a transform of length 4.
private struct Butterfly {
    let re0, im0, re1, im1, re2, im2, re3, im3: SIMD4<Float>

    @_noLocks @_noAllocation @inline(__always)
    init(_ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>, distance: Int) {
        let (a, b, c, d) = (re.four(0), re.four(distance), re.four(2 &* distance), re.four(3 &* distance))
        let (e, f, g, h) = (im.four(0), im.four(distance), im.four(2 &* distance), im.four(3 &* distance))
        let (evenRe, evenIm, restRe, restIm) = (a + c, e + g, a - c, e - g)
        let (oddRe, oddIm, crossRe, crossIm) = (b + d, f + h, b - d, f - h)
        (re0, im0) = (evenRe + oddRe, evenIm + oddIm)
        (re2, im2) = (evenRe - oddRe, evenIm - oddIm)
        (re1, im1) = (restRe + crossIm, restIm - crossRe)
        (re3, im3) = (restRe - crossIm, restIm + crossRe)
    }

    /// One of the sums times a factor.
    @_noLocks @_noAllocation @inline(__always)
    func turned(_ index: Int, _ cosine: SIMD4<Float>, _ sine: SIMD4<Float>) -> (SIMD4<Float>, SIMD4<Float>) {
        let (re, im) = index == 1 ? (re1, im1) : index == 2 ? (re2, im2) : (re3, im3)
        return (re * cosine - im * sine, re * sine + im * cosine)
    }
}

extension UnsafeMutablePointer<Float> {
    @_noLocks @_noAllocation @inline(__always)
    fileprivate func four(_ offset: Int) -> SIMD4<Float> { UnsafeRawPointer(self + offset).loadUnaligned(as: SIMD4<Float>.self) }

    @_noLocks @_noAllocation @inline(__always)
    fileprivate func setFour(_ offset: Int, _ value: SIMD4<Float>) {
        UnsafeMutableRawPointer(self + offset).storeBytes(of: value, as: SIMD4<Float>.self)
    }
}
