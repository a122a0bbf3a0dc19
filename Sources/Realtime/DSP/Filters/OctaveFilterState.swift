/// State of an ``OctaveFilter`` for one signal.
public struct OctaveFilterState: BitwiseCopyable, Sendable {
    private var first = SIMD8<Float>.zero
    private var second = SIMD8<Float>.zero

    @_noLocks @_noAllocation
    public init() {}

    /// Filters a row in place, with coefficients that change linearly over the block.
    @_noLocks @_noAllocation
    public mutating func process(_ row: UnsafeMutablePointer<Float>, frames: Int, from: OctaveFilter, to: OctaveFilter) {
        let share = 1 / Float(frames)
        for section in 0..<8 {
            var (a1, a2) = (from.a1[section], from.a2[section])
            var (k0, k1, k2) = (from.k0[section], from.k1[section], from.k2[section])
            let (b1, b2) = ((to.a1[section] - a1) * share, (to.a2[section] - a2) * share)
            let (c0, c1, c2) = ((to.k0[section] - k0) * share, (to.k1[section] - k1) * share, (to.k2[section] - k2) * share)
            if k0 == 0, k1 == 0, to.k0[section] == 0, to.k1[section] == 0 { continue }
            var (w1, w2) = (first[section], second[section])
            for i in 0..<frames {
                a1 += b1
                a2 += b2
                k0 += c0
                k1 += c1
                k2 += c2
                let w = row[i] - a1 * w1 - a2 * w2
                row[i] += k0 * w + k1 * w1 + k2 * w2
                w2 = w1
                w1 = w
            }
            first[section] = abs(w1) < 1e-20 ? 0 : w1
            second[section] = abs(w2) < 1e-20 ? 0 : w2
        }
        Ramp(from: from.gain, to: to.gain, frames: frames).scale(row, frames: frames)
    }
}
