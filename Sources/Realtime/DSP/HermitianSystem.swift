internal import Glibc

/// Linear equations with a Hermitian, positive definite matrix, in double precision; not for audio.
public struct HermitianSystem: Sendable {
    /// Lower triangle of the Cholesky factor, row by row.
    private var factor: [Complex]
    private let count: Int

    /// - Parameter matrix: `count` rows of `count` entries; only the lower triangle is read.
    public init(_ matrix: [Complex], count: Int) {
        factor = matrix
        self.count = count
        for column in 0..<count {
            var pivot = matrix[column * count + column].re
            for k in 0..<column {
                let value = factor[column * count + k]
                pivot -= value.re * value.re + value.im * value.im
            }
            // A matrix that is singular within rounding is treated as barely regular.
            let root = max(pivot, 1e-30).squareRoot()
            factor[column * count + column] = Complex(root)
            for row in column + 1..<max(count, column + 1) {
                var sum = matrix[row * count + column]
                for k in 0..<column {
                    let (a, b) = (factor[row * count + k], factor[column * count + k])
                    sum = sum - a * Complex(b.re, -b.im)
                }
                factor[row * count + column] = (1 / root) * sum
            }
        }
    }

    /// Returns the solution x of `matrix * x = right`.
    public func solve(_ right: [Complex]) -> [Complex] {
        var x = right
        for row in 0..<count {
            for k in 0..<row { x[row] = x[row] - factor[row * count + k] * x[k] }
            x[row] = (1 / factor[row * count + row].re) * x[row]
        }
        for row in (0..<count).reversed() {
            for k in row + 1..<max(count, row + 1) {
                let value = factor[k * count + row]
                x[row] = x[row] - Complex(value.re, -value.im) * x[k]
            }
            x[row] = (1 / factor[row * count + row].re) * x[row]
        }
        return x
    }
}
