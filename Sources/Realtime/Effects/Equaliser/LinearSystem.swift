/// Solves four equations with four unknowns.
enum LinearSystem {
    /// Gaussian elimination with column scaling and row pivoting.
    ///
    /// - Parameter rows: four coefficients and the right-hand side each.
    /// - Returns: nil for a singular system.
    @_noLocks @_noAllocation
    static func solve(
        _ rows: (SIMD8<Double>, SIMD8<Double>, SIMD8<Double>, SIMD8<Double>)
    ) -> SIMD4<Double>? {
        var m: [4 of SIMD8<Double>] = [rows.0, rows.1, rows.2, rows.3]
        var scale = SIMD4<Double>.zero
        for column in 0..<4 {
            for row in 0..<4 { scale[column] = max(scale[column], abs(m[row][column])) }
            guard scale[column] > 0 else { return nil }
            for row in 0..<4 { m[row][column] /= scale[column] }
        }
        for column in 0..<4 {
            var best = column
            for row in column..<4 where abs(m[row][column]) > abs(m[best][column]) { best = row }
            let pivot = m[best]
            guard abs(pivot[column]) > 1e-300 else { return nil }
            m[best] = m[column]
            m[column] = pivot
            for row in 0..<4 where row != column {
                let factor = m[row][column] / pivot[column]
                m[row] = m[row] - pivot * factor
            }
        }
        var x = SIMD4<Double>.zero
        for i in 0..<4 { x[i] = m[i][4] / m[i][i] / scale[i] }
        return x
    }
}
