internal import CRealtime
internal import Glibc

/// Designs ``OctaveFilter`` for levels in the octaves: the level of the lowest for all, then peaks and a shelf whose gains are solved by
/// Newton's method with the slopes of small gains.
public struct OctaveDesign: BitwiseCopyable, Sendable {
    /// Number of octaves below 0.42 of the rate; the highest is the shelf's.
    private let count: Int
    /// Cosines and sines of the centres' angles, and of twice these.
    private let cosine: SIMD8<Float>
    private let sine: SIMD8<Float>
    private let cosine2: SIMD8<Float>
    private let sine2: SIMD8<Float>
    /// Cosine and alpha (sine over twice Q) of each section.
    private var centre = SIMD8<Float>.zero
    private var alpha = SIMD8<Float>.zero
    /// Gains that give one decibel at one centre and none at the others, by the slopes of small gains.
    private var columns: InverseColumns
    private static var decibels: Float { @_noLocks @_noAllocation get { 8.685889638 } }

    /// Eight columns of eight numbers.
    private typealias InverseColumns = (
        SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>
    )

    /// - Parameter rate: frames per second.
    public init(rate: Float) {
        let centres = OctaveFilter.centres
        var (count, c, s) = (0, SIMD8<Float>.zero, SIMD8<Float>.zero)
        for band in 0..<8 {
            let angle = 2 * Float.pi * min(centres[band], 0.45 * rate) / rate
            (c[band], s[band]) = (cosf(angle), sinf(angle))
            if centres[band] < 0.42 * rate { count = band + 1 }
        }
        self.count = count
        (cosine, sine) = (c, s)
        cosine2 = 2 * c * c - 1
        sine2 = 2 * s * c
        columns = (.zero, .zero, .zero, .zero, .zero, .zero, .zero, .zero)
        for band in 1..<max(2, count) {
            // The shelf lies half an octave below its centre.
            let isShelf = band == count - 1
            let angle = 2 * Float.pi * centres[band] * (isShelf ? 0.70710678 : 1) / rate
            centre[band] = cosf(angle)
            alpha[band] = sinf(angle) / 2 / (isShelf ? 0.70710678 : 1.41421356)
        }
        invert()
    }

    /// Fills `columns` from the responses to small gains: in double precision, by elimination.
    private mutating func invert() {
        let small: Float = 0.5
        var matrix = [[Double]](repeating: .init(repeating: 0, count: 16), count: 8)
        for unknown in 0..<8 {
            var gains = SIMD8<Float>.zero
            gains[unknown] = small
            let response = level(sections(gains))
            for band in 0..<8 {
                matrix[band][unknown] = unknown < count ? Double(response[band] / small) : 0
                if band >= count { matrix[band][unknown] = 0 }
            }
            matrix[unknown][8 + unknown] = 1
            if unknown >= count { matrix[unknown][unknown] = 1 }
        }
        for column in 0..<8 {
            var pivot = column
            for row in column..<8 where abs(matrix[row][column]) > abs(matrix[pivot][column]) { pivot = row }
            matrix.swapAt(column, pivot)
            let scale = 1 / matrix[column][column]
            for k in 0..<16 { matrix[column][k] *= scale }
            for row in 0..<8 where row != column {
                let factor = matrix[row][column]
                for k in 0..<16 { matrix[row][k] -= factor * matrix[column][k] }
            }
        }
        func column(_ band: Int) -> SIMD8<Float> {
            var values = SIMD8<Float>.zero
            for row in 0..<count where band < count { values[row] = Float(matrix[row][8 + band]) }
            return values
        }
        columns = (column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7))
    }

    /// The filter with these levels in decibels, one for each of ``OctaveFilter/centres``; limited to -80 to 20.
    @_noLocks @_noAllocation
    public func filter(_ decibels: SIMD8<Float>) -> OctaveFilter {
        var wanted = decibels
        for band in 0..<8 { wanted[band] = max(-80, min(20, wanted[band])) }
        // A shelf of second order falls no more steeply; the octave below stays exact.
        if count > 1 { wanted[count &- 1] = max(wanted[count &- 1], wanted[count &- 2] - 14) }
        var gains = solved(wanted)
        var filter = sections(gains)
        for _ in 0..<6 {
            gains += solved(wanted - level(filter))
            for band in 0..<8 { gains[band] = max(-90, min(40, gains[band])) }
            filter = sections(gains)
        }
        return filter
    }

    @_noLocks @_noAllocation
    private func solved(_ error: SIMD8<Float>) -> SIMD8<Float> {
        var sum = columns.0 * error[0]
        sum += columns.1 * error[1]
        sum += columns.2 * error[2]
        sum += columns.3 * error[3]
        sum += columns.4 * error[4]
        sum += columns.5 * error[5]
        sum += columns.6 * error[6]
        sum += columns.7 * error[7]
        return sum
    }

    /// Sections with these gains in decibels; the first is the level of all octaves.
    @_noLocks @_noAllocation
    private func sections(_ gains: SIMD8<Float>) -> OctaveFilter {
        var filter = OctaveFilter()
        filter.gain = rt_exp(gains[0] / Self.decibels)
        let last = count &- 1
        for band in 1..<max(1, last) {
            let a = rt_exp(gains[band] / (2 * Self.decibels))
            let scale = 1 / (1 + alpha[band] / a)
            filter.a1[band] = -2 * centre[band] * scale
            filter.a2[band] = (1 - alpha[band] / a) * scale
            filter.k0[band] = alpha[band] * (a - 1 / a) * scale
            filter.k2[band] = -filter.k0[band]
        }
        guard last > 0 else { return filter }
        // The high shelf of R. Bristow-Johnson's cookbook, less one.
        let a = rt_exp(gains[last] / (2 * Self.decibels))
        let (c, slope) = (centre[last], 2 * rt_sqrt(a) * alpha[last])
        let scale = 1 / ((a + 1) - (a - 1) * c + slope)
        filter.a1[last] = 2 * ((a - 1) - (a + 1) * c) * scale
        filter.a2[last] = ((a + 1) - (a - 1) * c - slope) * scale
        filter.k0[last] = a * ((a + 1) + (a - 1) * c + slope) * scale - 1
        filter.k1[last] = -2 * a * ((a - 1) + (a + 1) * c) * scale - filter.a1[last]
        filter.k2[last] = a * ((a + 1) + (a - 1) * c - slope) * scale - filter.a2[last]
        return filter
    }

    /// Levels of a filter at the centres, decibels; 0 for octaves beyond the rate.
    @_noLocks @_noAllocation
    public func level(_ filter: OctaveFilter) -> SIMD8<Float> {
        var power = SIMD8<Float>(repeating: filter.gain * filter.gain)
        for section in 1..<8 {
            let (a1, a2) = (filter.a1[section], filter.a2[section])
            let below = 1 + a1 * cosine + a2 * cosine2
            let belowSine = a1 * sine + a2 * sine2
            let above = below + filter.k0[section] + filter.k1[section] * cosine + filter.k2[section] * cosine2
            let aboveSine = belowSine + filter.k1[section] * sine + filter.k2[section] * sine2
            power *= (above * above + aboveSine * aboveSine) / (below * below + belowSine * belowSine)
        }
        var decibels = SIMD8<Float>.zero
        for band in 0..<count { decibels[band] = 10 * rt_log10(max(1e-12, power[band])) }
        return decibels
    }

    /// Level of a filter at a frequency, decibels; not for audio.
    ///
    /// - Parameter turns: the frequency over the rate.
    public static func level(_ filter: OctaveFilter, turns: Float) -> Float {
        let (c, s) = (cos(2 * Double.pi * Double(turns)), sin(2 * Double.pi * Double(turns)))
        let (c2, s2) = (2 * c * c - 1, 2 * s * c)
        var power = Double(filter.gain) * Double(filter.gain)
        for section in 1..<8 {
            let (a1, a2) = (Double(filter.a1[section]), Double(filter.a2[section]))
            let (k0, k1, k2) = (Double(filter.k0[section]), Double(filter.k1[section]), Double(filter.k2[section]))
            let (below, belowSine) = (1 + a1 * c + a2 * c2, a1 * s + a2 * s2)
            let (above, aboveSine) = (below + k0 + k1 * c + k2 * c2, belowSine + k1 * s + k2 * s2)
            power *= (above * above + aboveSine * aboveSine) / (below * below + belowSine * belowSine)
        }
        return Float(10 * log10(max(1e-30, power)))
    }
}
