internal import CRealtime

/// Prototype of a peak at 64 positions of its ``PeakScale``.
struct PeakGrid: BitwiseCopyable, Sendable {
    /// cos^2(w/2), sin^2(w/2), sin^2(w), in vectors of eight positions.
    private var p0 = [8 of SIMD8<Double>](repeating: .zero)
    private var p1 = [8 of SIMD8<Double>](repeating: .zero)
    private var p2 = [8 of SIMD8<Double>](repeating: .zero)
    private var power = [8 of SIMD8<Double>](repeating: .zero)

    @_noLocks @_noAllocation
    init(_ prototype: Prototype, _ scale: PeakScale, _ rate: Double) {
        for row in 0..<8 {
            var (a, b, c, d) = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero)
            for i in 0..<8 {
                let frequency = scale.frequency(Double(8 &* row &+ i &+ 1) / 64)
                (a[i], b[i], c[i]) = Section.basis(frequency, rate)
                d[i] = prototype.power(frequency)
            }
            (p0[row], p1[row], p2[row], power[row]) = (a, b, c, d)
        }
    }

    /// Returns the largest difference in each of the five intervals between nodes, in nepers of power.
    @_noLocks @_noAllocation
    func differences(_ section: Section, between nodes: SIMD4<Double>) -> SIMD8<Double> {
        let (sumB, sumA) = (section.b0 + section.b1 + section.b2, 1 + section.a1 + section.a2)
        let (altB, altA) = (section.b0 - section.b1 + section.b2, 1 - section.a1 + section.a2)
        let (b0, b1, b2) = (sumB * sumB, altB * altB, -4 * section.b0 * section.b2)
        let (a0, a1, a2) = (sumA * sumA, altA * altA, -4 * section.a2)
        var largest = SIMD8<Double>(repeating: 1)
        var stretch = 0
        for row in 0..<8 {
            let above = p0[row] * b0 + p1[row] * b1 + p2[row] * b2
            let below = (p0[row] * a0 + p1[row] * a1 + p2[row] * a2) * power[row]
            let (more, less) = (above / below, below / above)
            for i in 0..<8 {
                let place = Double(8 &* row &+ i &+ 1) / 64
                while stretch < 4 && place > nodes[stretch] { stretch = stretch &+ 1 }
                largest[stretch] = max(largest[stretch], max(more[i], less[i]))
            }
        }
        var result = SIMD8<Double>.zero
        for i in 0..<5 { result[i] = rt_log_double(min(largest[i], 1e12)) }
        // An interval that is too short to contain a position keeps its width.
        let mean = result.sum() / 5
        for i in 0..<5 where largest[i] == 1 { result[i] = mean }
        return result
    }
}
