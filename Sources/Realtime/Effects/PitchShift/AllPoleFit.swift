internal import CRealtime
internal import DSP

/// Resonances between the partials of a sound: an all-pole model up to 8 kHz that is fitted to the powers of the partials alone.
///
/// Discrete all-pole modelling (El-Jaroudi and Makhoul, "Discrete all-pole modeling", IEEE Trans. Signal Proc. 1991). A vocal tract is
/// nearly all-pole, so that all partials together determine a formant between two of them, whose own levels say little about it. The
/// frequencies are those of the bilinear transform, by which the poles of an analogue system remain poles: with the zeros that it adds at
/// the upper end, five formants are exactly ten poles.
struct AllPoleFit: ~Copyable, Sendable {
    private static var order: Int { @_noLocks @_noAllocation @inline(__always) get { 12 } }
    /// Number of zeros at the upper end, which the model leaves out.
    private static var zeros: Double { @_noLocks @_noAllocation get { 10 } }
    private static var steps: Int { @_noLocks @_noAllocation get { 20 } }
    private static var terms: Int { @_noLocks @_noAllocation @inline(__always) get { order + 1 } }

    /// Bins up to 8 kHz.
    private let reach: Int
    /// Bins up to a quarter turn of the model, 3 kHz.
    private let quarter: Double
    /// Number of poles of the current fit; 0 for none.
    private var poles = 0
    // SAFETY: owned by this value alone, which cannot be copied: the correlations, the predictor, its next value, the powers of the
    // model, then the factor of the correlations' matrix, row by row.
    private nonisolated(unsafe) let numbers: UnsafeMutablePointer<Double>
    // SAFETY: as above. Cosine and sine of the angle of each partial.
    private nonisolated(unsafe) let lines: UnsafeMutablePointer<SIMD2<Double>>

    init(rate: Float, length: Int) {
        reach = min(length / 2, Int(clamping: 8000 * Float(length) / rate))
        quarter = 3000 * Double(length) / Double(rate)
        numbers = .allocate(capacity: Self.terms * (4 + Self.terms))
        numbers.initialize(repeating: 0, count: Self.terms * (4 + Self.terms))
        lines = .allocate(capacity: length / 2 + 1)
        lines.initialize(repeating: .zero, count: length / 2 + 1)
    }

    deinit {
        numbers.deallocate()
        lines.deallocate()
    }

    private var correlations: UnsafeMutablePointer<Double> { @_noLocks @_noAllocation @inline(__always) get { numbers } }
    private var predictor: UnsafeMutablePointer<Double> {
        @_noLocks @_noAllocation @inline(__always) get { numbers + Self.terms }
    }
    private var next: UnsafeMutablePointer<Double> { @_noLocks @_noAllocation @inline(__always) get { numbers + 2 &* Self.terms } }
    private var powers: UnsafeMutablePointer<Double> { @_noLocks @_noAllocation @inline(__always) get { numbers + 3 &* Self.terms } }
    private var factor: UnsafeMutablePointer<Double> { @_noLocks @_noAllocation @inline(__always) get { numbers + 4 &* Self.terms } }

    /// Fits the model.
    ///
    /// - Parameters:
    ///   - places: bins of the partials, rising.
    ///   - heights: binary logarithms of their powers.
    @_noLocks @_noAllocation
    mutating func fit(_ places: UnsafePointer<Float>, _ heights: UnsafePointer<Float>, count: Int) {
        var known = 0
        while known < count, places[known] < Float(reach) { known = known &+ 1 }
        // A model of as many poles as there are partials would follow each of them.
        poles = min(Self.order, known * 4 / 5 * 2)
        guard known > 5 else { return poles = 0 }
        correlate(places, heights, known)
        guard factorise() else { return poles = 0 }
        for i in 0...poles { next[i] = i == 0 ? 1 : 0 }
        solve()
        guard next[0] > 0 else { return poles = 0 }
        let scale = 1 / rt_sqrt_double(next[0])
        for i in 0...poles { predictor[i] = next[i] * scale }
        for _ in 0..<Self.steps { advance(known) }
        for lag in 0...poles {
            var sum = 0.0
            for i in 0...poles &- lag { sum += predictor[i] * predictor[i &+ lag] }
            powers[lag] = lag == 0 ? sum : 2 * sum
        }
    }

    @_noLocks @_noAllocation
    private func correlate(_ places: UnsafePointer<Float>, _ heights: UnsafePointer<Float>, _ known: Int) {
        for lag in 0...poles { correlations[lag] = 0 }
        for m in 0..<known {
            let x = Double(places[m]) / quarter
            let scale = 1 / (1 + x * x)
            lines[m] = SIMD2((1 - x * x) * scale, 2 * x * scale)
            let power = rt_exp_double(Double(heights[m]) * 0.6931471805599453 - Self.zeros * rt_log_double(scale)) / Double(known)
            let turn = 2 * lines[m][0]
            var (before, now) = (power * lines[m][0], power)
            for lag in 0...poles {
                correlations[lag] += now
                (before, now) = (now, turn * now - before)
            }
        }
        correlations[0] *= 1 + 1e-9
    }

    /// Cholesky's factor of the matrix of correlations; false when they are singular.
    @_noLocks @_noAllocation
    private func factorise() -> Bool {
        for row in 0...poles {
            for column in 0...row {
                var sum = correlations[row &- column]
                for k in 0..<column { sum -= factor[row &* Self.terms &+ k] * factor[column &* Self.terms &+ k] }
                if row == column {
                    guard sum > 1e-14 * correlations[0] else { return false }
                    factor[row &* Self.terms &+ row] = rt_sqrt_double(sum)
                } else {
                    factor[row &* Self.terms &+ column] = sum / factor[column &* Self.terms &+ column]
                }
            }
        }
        return true
    }

    /// Solves the equations with the right side ``next``, in place.
    @_noLocks @_noAllocation
    private func solve() {
        for row in 0...poles {
            var sum = next[row]
            for k in 0..<row { sum -= factor[row &* Self.terms &+ k] * next[k] }
            next[row] = sum / factor[row &* Self.terms &+ row]
        }
        var row = poles
        while row >= 0 {
            var sum = next[row]
            var k = row &+ 1
            while k <= poles {
                sum -= factor[k &* Self.terms &+ row] * next[k]
                k = k &+ 1
            }
            next[row] = sum / factor[row &* Self.terms &+ row]
            row = row &- 1
        }
    }

    /// Takes one step towards the predictor whose model has the same correlations as the partials, sampled at their frequencies.
    @_noLocks @_noAllocation
    private func advance(_ known: Int) {
        for i in 0...poles { next[i] = 0 }
        for m in 0..<known {
            let (cosine, sine) = (lines[m][0], lines[m][1])
            var (real, imaginary) = (0.0, 0.0)
            var i = poles
            while i >= 0 {
                (real, imaginary) = (
                    real * cosine + imaginary * sine + predictor[i], imaginary * cosine - real * sine
                )
                i = i &- 1
            }
            // The inverse of the predictor, turned back by one angle more from lag to lag.
            let scale = 1 / (max(1e-30, real * real + imaginary * imaginary) * Double(known))
            (real, imaginary) = (real * scale, -imaginary * scale)
            for i in 0...poles {
                next[i] += real
                (real, imaginary) = (real * cosine + imaginary * sine, imaginary * cosine - real * sine)
            }
        }
        solve()
        for i in 0...poles { predictor[i] = 0.5 * (predictor[i] + next[i]) }
    }

    /// Writes the levels of all bins; beyond the model's reach, all have the level at its end.
    @_noLocks @_noAllocation
    func levels(into levels: UnsafeMutablePointer<Float>, bins: Int) {
        guard poles > 0 else { return rt_zero(levels, bins) }
        for k in 0...reach {
            let x = Double(k) / quarter
            let scale = 1 / (1 + x * x)
            let cosine = (1 - x * x) * scale
            // Clenshaw's recurrence.
            var (now, before) = (0.0, 0.0)
            var lag = poles
            while lag > 0 {
                (now, before) = (powers[lag] + 2 * cosine * now - before, now)
                lag = lag &- 1
            }
            let inverse = max(1e-20 * powers[0], powers[0] + cosine * now - before)
            levels[k] = Float(1.4426950408889634 * (Self.zeros * rt_log_double(scale) - rt_log_double(inverse)))
        }
        for k in reach &+ 1..<max(bins, reach &+ 1) { levels[k] = levels[reach] }
    }
}
