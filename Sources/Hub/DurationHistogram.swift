/// How many durations fell below each of some bounds, and their sum; it only grows.
public struct DurationHistogram: Sendable, Equatable {
    /// Upper bounds in seconds, rising; durations above the last are counted in the total alone.
    public let bounds: [Double]
    /// How many were at most each bound, those below smaller ones included.
    public private(set) var cumulative: [UInt64]
    public private(set) var count: UInt64 = 0
    /// Seconds, all together.
    public private(set) var sum = 0.0

    public init(bounds: [Double]) {
        self.bounds = bounds
        cumulative = .init(repeating: 0, count: bounds.count)
    }

    /// - Parameter seconds: a duration; one that is negative counts as 0.
    public mutating func add(_ seconds: Double) {
        let seconds = max(0, seconds)
        count += 1
        sum += seconds
        for i in bounds.indices.reversed() {
            guard seconds <= bounds[i] else { break }
            cumulative[i] += 1
        }
    }

    /// From numbers that somebody else counted: `counts[i]` between bound i - 1 and bound i, one more beyond the last.
    public init(bounds: [Double], counts: [UInt64], sum: Double) {
        self.init(bounds: bounds)
        var total: UInt64 = 0
        for i in bounds.indices {
            total += counts[i]
            cumulative[i] = total
        }
        count = counts.reduce(0, +)
        self.sum = sum
    }
}
