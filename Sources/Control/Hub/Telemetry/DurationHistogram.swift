/// Cumulative histogram of durations over fixed bounds, with their sum; counts never decrease.
public struct DurationHistogram: Sendable, Equatable {
    /// Upper bounds in seconds, ascending; durations above the last count in ``count`` only.
    public let bounds: [Double]
    /// Number of durations at or below each bound.
    public private(set) var cumulative: [UInt64]
    public private(set) var count: UInt64 = 0
    /// Sum of all durations in seconds.
    public private(set) var sum = 0.0

    public init(bounds: [Double]) {
        self.bounds = bounds
        cumulative = .init(repeating: 0, count: bounds.count)
    }

    /// - Parameter seconds: a duration; a negative one counts as 0.
    public mutating func add(_ seconds: Double) {
        let seconds = max(0, seconds)
        count += 1
        sum += seconds
        for i in bounds.indices.reversed() {
            guard seconds <= bounds[i] else { break }
            cumulative[i] += 1
        }
    }

    /// Creates a histogram from existing counts.
    /// - Parameter counts: `counts[i]` between bound i - 1 and bound i, and one more above the last bound.
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
