internal import Glibc

/// What many errors come to.
public struct ErrorStatistics: Sendable, Equatable {
    /// Of the magnitudes.
    public let mean: Double
    /// What 95 % of the magnitudes stay below, between two of them in proportion.
    public let p95: Double
    /// The mean with signs.
    public let bias: Double

    /// - Parameter errors: with their signs, in any unit; none gives not-a-number.
    public init(_ errors: some Collection<Float>) {
        guard !errors.isEmpty else {
            (mean, p95, bias) = (.nan, .nan, .nan)
            return
        }
        let sizes = errors.map(abs).sorted()
        let count = Double(sizes.count)
        mean = sizes.reduce(0.0) { $0 + Double($1) } / count
        bias = errors.reduce(0.0) { $0 + Double($1) } / count
        let place = 0.95 * (count - 1)
        let below = Int(place)
        let above = min(below + 1, sizes.count - 1)
        p95 = Double(sizes[below]) + (place - Double(below)) * Double(sizes[above] - sizes[below])
    }
}
