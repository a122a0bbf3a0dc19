/// The values of the last seconds, and where half, 95 and 99 in a hundred of them lie.
struct Percentiles {
    private var values: [(time: UInt64, value: Float)] = []

    /// - Parameter time: CLOCK_MONOTONIC nanoseconds.
    mutating func add(_ value: Float, at time: UInt64) { values.append((time, value)) }

    /// Forgets what is older than `span` nanoseconds.
    mutating func forget(before time: UInt64) {
        let kept = values.firstIndex { $0.time >= time } ?? values.count
        values.removeFirst(kept)
    }

    var count: Int { values.count }

    /// p50, p95, p99, max; zeros when there is nothing. The p-th percentile is the smallest value that at least
    /// p in a hundred do not exceed.
    var summary: [Float] {
        guard !values.isEmpty else { return [0, 0, 0, 0] }
        let sorted = values.map(\.value).sorted()
        func rank(_ share: Double) -> Float {
            sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
        }
        return [rank(0.5), rank(0.95), rank(0.99), sorted[sorted.count - 1]]
    }
}
