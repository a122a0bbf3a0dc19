internal import Glibc

/// Principal components of many responses: the few filters whose weighted sums approximate all of them best.
enum PrincipalFilters {
    private static let rounds = 60

    /// - Parameter responses: all of the same length.
    /// - Returns: orthonormal filters of that length.
    static func find(_ count: Int, in responses: [[Double]]) -> [[Double]] {
        let length = responses[0].count
        var products = [[Double]](repeating: [Double](repeating: 0, count: length), count: length)
        for response in responses {
            // Weak responses count for more than their energy, since their errors are heard relative to their own level.
            let weight = 1 / dot(response, response).squareRoot()
            for i in 0..<length {
                let share = weight * response[i]
                for k in 0..<length { products[i][k] += share * response[k] }
            }
        }
        // Subspace iteration; the first filters only have to be linearly independent.
        var filters = (0..<count).map { term in
            (0..<length).map { (tap: Int) -> Double in cos(Double.pi * (Double(tap) + 0.5) * Double(term) / Double(length)) }
        }
        for _ in 0..<rounds {
            filters = filters.map { filter in products.map { dot($0, filter) } }
            orthonormalise(&filters)
        }
        return filters
    }

    private static func orthonormalise(_ filters: inout [[Double]]) {
        for i in filters.indices {
            for k in 0..<i {
                let share = dot(filters[i], filters[k])
                for n in filters[i].indices { filters[i][n] -= share * filters[k][n] }
            }
            let scale = 1 / dot(filters[i], filters[i]).squareRoot()
            for n in filters[i].indices { filters[i][n] *= scale }
        }
    }

    private static func dot(_ a: [Double], _ b: [Double]) -> Double {
        var sum = 0.0
        for i in a.indices { sum += a[i] * b[i] }
        return sum
    }
}
