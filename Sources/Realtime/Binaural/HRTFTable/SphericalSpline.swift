internal import DSP
internal import Glibc

/// Interpolation between values given at directions of any distribution, exactly through the values: the smoothest function on the sphere
/// in the sense of its squared Laplacian (G. Wahba, "Spline interpolation and smoothing on the sphere", SIAM J. Sci. Stat. Comput. 2, 1981;
/// for heads: S. Carlile, C. Jin, V. van Raad, "Continuous virtual auditory space using HRTF interpolation", 2000).
struct SphericalSpline {
    /// Degree of the series, whose terms fall with the fourth power.
    private static let degree = 60
    /// Weight of the constant function, so large that the mean of the values is hardly penalised.
    private static let constant = 10.0

    private let units: [SIMD3<Double>]
    /// Values per direction, in whole lanes.
    let width: Int
    /// Coefficient rows, one for each direction.
    private let coefficients: [Float]

    /// - Parameters:
    ///   - units: distinct directions.
    ///   - values: `width` values per direction.
    init(_ units: [SIMD3<Double>], values: [[Float]]) {
        let count = units.count
        let width = roundedToLanes(values[0].count)
        var factor = [Double](repeating: 0, count: count * count)
        var rows = [Double](repeating: 0, count: count * width)
        for (index, row) in values.enumerated() {
            for (column, value) in row.enumerated() { rows[index * width + column] = Double(value) }
        }
        factor.withUnsafeMutableBufferPointer { factor in
            rows.withUnsafeMutableBufferPointer { rows in
                let matrix = factor.baseAddress!
                for i in 0..<count {
                    for j in 0...i { matrix[i * count + j] = Self.kernel(HeadDirections.cosine(units[i], units[j])) }
                    // Far below the accuracy of a measurement; keeps the equations well posed.
                    matrix[i * count + i] += 1e-6
                }
                Self.factorise(matrix, count)
                Self.solve(matrix, count, rows.baseAddress!, width)
            }
        }
        coefficients = rows.map(Float.init)
        self.units = units
        self.width = width
    }

    /// Sum over the degrees n of (2n + 1) / (n (n + 1))^2 times Legendre's polynomial, plus a constant.
    private static func kernel(_ cosine: Double) -> Double {
        var (before, now) = (1.0, cosine)
        var sum = constant + 0.75 * cosine
        for n in 2...degree {
            let n = Double(n)
            (before, now) = (now, ((2 * n - 1) * cosine * now - (n - 1) * before) / n)
            sum += (2 * n + 1) / (n * n * (n + 1) * (n + 1)) * now
        }
        return sum
    }

    /// Cholesky factorisation of the lower triangle, in place.
    private static func factorise(_ matrix: UnsafeMutablePointer<Double>, _ count: Int) {
        for row in 0..<count {
            let a = matrix + row * count
            for column in 0...row {
                let b = matrix + column * count
                var (sum, k) = (SIMD8<Double>.zero, 0)
                while k + 8 <= column {
                    sum += lanes(a + k) * lanes(b + k)
                    k += 8
                }
                var value = a[column] - sum.sum()
                while k < column {
                    value -= a[k] * b[k]
                    k += 1
                }
                a[column] = row == column ? max(value, 1e-12).squareRoot() : value / b[column]
            }
        }
    }

    private static func lanes(_ place: UnsafePointer<Double>) -> SIMD8<Double> {
        UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Double>.self)
    }

    /// Solves the equations for `width` right sides at once, in place.
    private static func solve(_ factor: UnsafePointer<Double>, _ count: Int, _ rows: UnsafeMutablePointer<Double>, _ width: Int) {
        func subtract(_ source: Int, times weight: Double, from target: Int) {
            let (from, to) = (rows + source * width, rows + target * width)
            for i in stride(from: 0, to: width, by: 8) {
                let rest = lanes(to + i) - weight * lanes(from + i)
                UnsafeMutableRawPointer(to + i).storeBytes(of: rest, as: SIMD8<Double>.self)
            }
        }
        func divide(_ row: Int) {
            let scale = 1 / factor[row * count + row]
            for i in 0..<width { rows[row * width + i] *= scale }
        }
        for row in 0..<count {
            for k in 0..<row { subtract(k, times: factor[row * count + k], from: row) }
            divide(row)
        }
        for row in (0..<count).reversed() {
            divide(row)
            for k in 0..<row { subtract(row, times: factor[row * count + k], from: k) }
        }
    }

    /// The values at a direction; `output` has `width` floats.
    func evaluate(_ unit: SIMD3<Double>, into output: UnsafeMutablePointer<Float>) {
        for i in 0..<width { output[i] = 0 }
        coefficients.withUnsafeBufferPointer { coefficients in
            for (index, other) in units.enumerated() {
                let weight = Float(Self.kernel(HeadDirections.cosine(unit, other)))
                let row = coefficients.baseAddress! + index * width
                for i in stride(from: 0, to: width, by: laneCount) {
                    output.setLanes(i, output.lanes(i) + row.lanes(i) * weight)
                }
            }
        }
    }
}
