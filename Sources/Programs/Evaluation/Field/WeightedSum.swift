/// Sums of long rows, each with one weight.
enum WeightedSum {
    /// Adds `row[from...]` times `weight` to all of `sum`.
    static func add(_ row: [Float], from: Int = 0, times weight: Float, to sum: inout [Float]) {
        precondition(from >= 0 && from + sum.count <= row.count)
        row.withUnsafeBufferPointer { row in
            sum.withUnsafeMutableBufferPointer { sum in
                for i in 0..<sum.count { sum[i] += weight * row[from &+ i] }
            }
        }
    }

    /// Adds the products of two rows with one another, element by element, times `weight` to `sum`.
    static func add(_ a: [Float], times b: [Float], from: Int, times weight: Float, to sum: inout [Float]) {
        precondition(a.count == sum.count && from >= 0 && from + sum.count <= b.count)
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                sum.withUnsafeMutableBufferPointer { sum in
                    for i in 0..<sum.count { sum[i] += weight * a[i] * b[from &+ i] }
                }
            }
        }
    }
}
