internal import Glibc

/// Linear equations with a symmetric, positive definite matrix, in double precision; not for audio.
public struct SymmetricSystem: Sendable {
    /// Lower triangle of the Cholesky factor.
    private var factor: [[Double]]

    /// - Parameter matrix: rows; only the lower triangle is read.
    public init(_ matrix: [[Double]]) {
        factor = matrix
        for column in matrix.indices {
            var pivot = matrix[column][column]
            for k in 0..<column { pivot -= factor[column][k] * factor[column][k] }
            // A matrix that is singular within rounding is treated as barely regular.
            let root = sqrt(max(pivot, 1e-12))
            factor[column][column] = root
            for row in matrix.indices where row > column {
                var sum = matrix[row][column]
                for k in 0..<column { sum -= factor[row][k] * factor[column][k] }
                factor[row][column] = sum / root
            }
        }
    }

    /// Returns the rows x of `matrix * x = right`, for all columns of `right` at once.
    public func solve(_ right: [[Double]]) -> [[Double]] {
        var x = right
        let columns = right.first?.indices ?? 0..<0
        for row in x.indices {
            for column in columns {
                for k in 0..<row { x[row][column] -= factor[row][k] * x[k][column] }
                x[row][column] /= factor[row][row]
            }
        }
        for row in x.indices.reversed() {
            for column in columns {
                for k in (row + 1)..<x.count { x[row][column] -= factor[k][row] * x[k][column] }
                x[row][column] /= factor[row][row]
            }
        }
        return x
    }
}
