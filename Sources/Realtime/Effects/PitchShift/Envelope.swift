internal import CRealtime
internal import DSP

/// Spectral envelope of the last 28 ms of a sound, as reflection coefficients of linear prediction.
///
/// Autocorrelation method (Makhoul, "Linear prediction: a tutorial review", Proc. IEEE 1975) on the sum of both sides,
/// with an asymmetric window that favours the newest sound; a lag window of 90 Hz and a floor of -33 dB keep it from
/// following single partials, and resonances are widened by 80 Hz, so that they forget remains of another pitch within
/// 4 ms.
struct Envelope: ~Copyable, Sendable {
    /// Number of reflection coefficients: two for each kilohertz of bandwidth, and two more.
    let order: Int
    /// Number of analysed samples, a multiple of 16.
    let length: Int
    /// Factor of the poles' radii.
    private let widening: Double
    private let window: Row
    private let work: Row
    // SAFETY: rows of `order + 1` numbers each, owned by this value alone, which cannot be copied: correlations, their
    // lag window, and predictors.
    private nonisolated(unsafe) let numbers: UnsafeMutablePointer<Double>

    init(rate: Float) {
        order = min(96, 2 + Int(clamping: rate / 1000))
        length = Int(clamping: 0.028 * rate) / 16 * 16
        window = Row(length)
        work = Row(length + 128)
        let rise = length * 6 / 7
        for n in 0..<length {
            let (part, whole) = n < rise ? (n, rise) : (length - n, length - rise)
            window.samples[n] = 0.5 - 0.5 * rt_cos(.pi * (Float(part) + 0.5) / Float(whole))
        }
        widening = rt_exp_double(-.pi * 80 / Double(rate))
        numbers = .allocate(capacity: 4 * (order + 1))
        numbers.initialize(repeating: 0, count: 4 * (order + 1))
        for lag in 0...order {
            let angle = 2 * Double.pi * 90 * Double(lag) / Double(rate)
            numbers[order + 1 + lag] = rt_exp_double(-0.5 * angle * angle) * (lag == 0 ? 1.0005 : 1)
        }
    }

    deinit { numbers.deallocate() }

    /// - Parameter reflections: receives ``order`` numbers between -1 and 1; zeros for silence.
    @_noLocks @_noAllocation
    mutating func find(_ left: borrowing DelayLine, _ right: borrowing DelayLine, into reflections: UnsafeMutablePointer<Double>) {
        for lag in 0...order { numbers[lag] = 0 }
        correlate(left)
        correlate(right)
        predict(reflections)
    }

    @_noLocks @_noAllocation
    private mutating func correlate(_ line: borrowing DelayLine) {
        var n = 0
        while n < length {
            work.samples.setLanes(n, line.read(length &- n) * window.samples.lanes(n))
            n = n &+ laneCount
        }
        var lag = 0
        while lag <= order {
            var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
            n = 0
            while n < length {
                let x = work.samples.lanes(n)
                a = rt_fma16(x, work.samples.lanes(n &+ lag), a)
                b = rt_fma16(x, work.samples.lanes(n &+ lag &+ 1), b)
                c = rt_fma16(x, work.samples.lanes(n &+ lag &+ 2), c)
                d = rt_fma16(x, work.samples.lanes(n &+ lag &+ 3), d)
                n = n &+ laneCount
            }
            let sums = SIMD4(rt_sum16(a), rt_sum16(b), rt_sum16(c), rt_sum16(d))
            for i in 0..<min(4, order &+ 1 &- lag) { numbers[lag &+ i] = numbers[lag &+ i] + Double(sums[i]) }
            lag = lag &+ 4
        }
    }

    /// Levinson and Durbin's recursion.
    @_noLocks @_noAllocation
    private mutating func predict(_ reflections: UnsafeMutablePointer<Double>) {
        let (lagWindow, now) = (numbers + (order &+ 1), numbers + 2 &* (order &+ 1))
        let isSilent = numbers[0] < 1e-9
        for lag in 0...order {
            numbers[lag] = numbers[lag] * lagWindow[lag]
            now[lag] = lag == 0 ? 1 : 0
        }
        // Noise at -70 dBFS is added, so that almost silent sound is left unchanged.
        numbers[0] = numbers[0] + Double(length) * 3e-8
        var rest = numbers[0]
        for m in 1...order {
            var sum = 0.0
            for i in 0..<m { sum += now[i] * numbers[m &- i] }
            let k = isSilent ? 0 : max(-0.9999, min(0.9999, -sum / rest))
            reflections[m &- 1] = k
            Self.step(now, m, k)
            rest *= 1 - k * k
        }
    }

    /// Extends a predictor of order `m - 1` by the next reflection coefficient to order `m`.
    @_noLocks @_noAllocation @inline(__always)
    static func step(_ predictor: UnsafeMutablePointer<Double>, _ m: Int, _ k: Double) {
        predictor[m] = 0
        for i in 0...m / 2 {
            let (low, high) = (predictor[i], predictor[m &- i])
            predictor[i] = low + k * high
            predictor[m &- i] = high + k * low
        }
    }

    /// Returns the predictor of given reflection coefficients, starting with 1, with widened resonances.
    @_noLocks @_noAllocation
    mutating func predictor(_ reflections: UnsafePointer<Double>) -> UnsafePointer<Double> {
        let predictor = numbers + 3 &* (order &+ 1)
        predictor[0] = 1
        for m in 1...order { Self.step(predictor, m, reflections[m &- 1]) }
        var scale = 1.0
        for m in 1...order {
            scale *= widening
            predictor[m] *= scale
        }
        return UnsafePointer(predictor)
    }
}
