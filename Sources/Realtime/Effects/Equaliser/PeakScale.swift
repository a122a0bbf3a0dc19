internal import CRealtime

/// Frequency scale from 0 Hz (0) to a highest frequency (1), linear in the width near a peak and logarithmic far from
/// it.
struct PeakScale: BitwiseCopyable, Sendable {
    private let f: Double
    private let q: Double
    private let start: Double
    private let span: Double

    /// - Parameters:
    ///   - f: the peak's frequency, below `top`.
    ///   - q: above 0.
    @_noLocks @_noAllocation
    init(_ f: Double, q: Double, top: Double) {
        (self.f, self.q) = (f, q)
        start = -Self.inverseSinh(q)
        span = Self.inverseSinh(q * max(0.001, top / f - 1)) - start
    }

    @_noLocks @_noAllocation
    private static func inverseSinh(_ x: Double) -> Double { rt_log_double(x + rt_sqrt_double(x * x + 1)) }

    /// Frequency in Hz.
    @_noLocks @_noAllocation
    func frequency(_ place: Double) -> Double {
        let power = rt_exp_double(start + span * place)
        return max(0, f * (1 + (power - 1 / power) / (2 * q)))
    }

    @_noLocks @_noAllocation
    func frequencies(_ places: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(frequency(places[0]), frequency(places[1]), frequency(places[2]), frequency(places[3]))
    }

    /// Initial nodes, near those of the best section: a regression over 100 designs, of logits against the peak's
    /// position on the scale and the scale's length.
    var beginning: SIMD4<Double> {
        @_noLocks @_noAllocation get {
            let middle = -start / span
            let constant = SIMD4(-3.72, -1.8, 0.4, 3.25)
            let byMiddle = SIMD4(3.71, 3.02, 1.65, 0.64)
            let bySpan = SIMD4(0.33, 0.06, -0.15, -0.16)
            var places = constant + byMiddle * middle + bySpan * span
            for i in 0..<4 { places[i] = 1 / (1 + rt_exp_double(-places[i])) }
            return places
        }
    }

    /// Returns nodes moved so that intervals with large differences become narrower and those with small ones wider.
    @_noLocks @_noAllocation
    func balanced(_ places: SIMD4<Double>, _ differences: SIMD8<Double>) -> SIMD4<Double> {
        var widths = SIMD8<Double>.zero
        var before = 0.0
        for i in 0..<5 {
            let place = i < 4 ? places[i] : 1
            widths[i] = (place - before) * rt_exp_double(-0.3 * rt_log_double(differences[i] + 2.3e-5))
            before = place
        }
        let whole = widths.sum()
        var result = SIMD4<Double>.zero
        var sum = 0.0
        for i in 0..<4 {
            sum += widths[i]
            result[i] = sum / whole
        }
        return result
    }
}
