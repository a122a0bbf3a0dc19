/// Histogram of durations with 64 buckets per octave, so that no value is off by more than 0.8 %, from a microsecond to more
/// than a minute (layout of HdrHistogram, Tene 2012).
public struct LogLinearHistogram: Sendable, Equatable {
    private static let bits = 6
    private static let perOctave = 1 << bits
    /// For up to 2^26 microseconds.
    private static let octaves = 20
    static let buckets = (octaves + 1) * perOctave

    private var counts = [UInt32](repeating: 0, count: buckets)
    public private(set) var count = 0
    /// Longest duration in nanoseconds.
    public private(set) var most: Int64 = 0

    public init() {}

    /// Bucket of a duration: the first one for durations below a microsecond, the last one for those beyond the range.
    private static func bucket(_ nanoseconds: Int64) -> Int {
        let microseconds = Int(max(0, nanoseconds) / 1000)
        guard microseconds >= 2 * perOctave else { return microseconds }
        let octave = Int.bitWidth - microseconds.leadingZeroBitCount - bits - 1
        return min(buckets - 1, (octave << bits) + (microseconds >> octave))
    }

    /// Middle of a bucket in nanoseconds.
    private static func middle(_ bucket: Int) -> Double {
        guard bucket >= 2 * perOctave else { return (Double(bucket) + 0.5) * 1000 }
        let octave = (bucket >> bits) - 1
        let low = (bucket - (octave << bits)) << octave
        return (Double(low) + Double(1 << octave) / 2) * 1000
    }

    /// - Parameter nanoseconds: a duration; a negative one counts as 0.
    public mutating func add(_ nanoseconds: Int64) {
        counts[Self.bucket(nanoseconds)] += 1
        count += 1
        most = max(most, nanoseconds)
    }

    public mutating func add(_ other: LogLinearHistogram) {
        guard other.count > 0 else { return }
        for i in counts.indices { counts[i] += other.counts[i] }
        count += other.count
        most = max(most, other.most)
    }

    public mutating func clear() {
        guard count > 0 else { return }
        for i in counts.indices { counts[i] = 0 }
        (count, most) = (0, 0)
    }

    /// 50th, 95th and 99th percentile and maximum in milliseconds; zeros when empty. The p-th percentile is the smallest value
    /// that at least p % of the durations do not exceed.
    public var summary: [Float] {
        guard count > 0 else { return [0, 0, 0, 0] }
        var ranks = [0.5, 0.95, 0.99].map { Int(clamping: ($0 * Double(count)).rounded(.up)) }
        var (found, sum): ([Float], Int) = ([], 0)
        for bucket in counts.indices where !ranks.isEmpty {
            sum += Int(counts[bucket])
            while let rank = ranks.first, sum >= rank {
                found.append(Float(min(Self.middle(bucket), Double(most)) / 1e6))
                ranks.removeFirst()
            }
        }
        return found + [Float(Double(most) / 1e6)]
    }

    /// Counts between ascending bounds, and one more above the last.
    /// - Parameter bounds: milliseconds; a bucket is counted where its middle lies.
    public func counts(bounds: [Float]) -> [Float] {
        var sums = [Float](repeating: 0, count: bounds.count + 1)
        var place = 0
        for bucket in counts.indices where counts[bucket] > 0 {
            while place < bounds.count, Self.middle(bucket) / 1e6 > Double(bounds[place]) { place += 1 }
            sums[place] += Float(counts[bucket])
        }
        return sums
    }
}

/// Histogram of the last five seconds; the oldest second is dropped as a whole.
struct SlidingHistogram {
    /// Number of windows.
    private static let windows = 5
    /// Nanoseconds per window.
    private static let length: UInt64 = 1_000_000_000

    private var parts: [LogLinearHistogram] = []
    private var current = 0
    private var begin: UInt64 = 0

    /// - Parameters:
    ///   - nanoseconds: a duration.
    ///   - time: now, CLOCK_MONOTONIC nanoseconds.
    mutating func add(_ nanoseconds: Int64, at time: UInt64) {
        if parts.isEmpty { parts = .init(repeating: LogLinearHistogram(), count: Self.windows) }
        turn(time)
        parts[current].add(nanoseconds)
    }

    private mutating func turn(_ time: UInt64) {
        guard !parts.isEmpty else { return }
        if time > begin &+ Self.length * UInt64(Self.windows) {
            for i in parts.indices { parts[i].clear() }
            begin = time
        }
        while time >= begin &+ Self.length, begin > 0 {
            begin += Self.length
            current = (current + 1) % Self.windows
            parts[current].clear()
        }
    }

    /// Sum of the windows that are still valid at `time`.
    mutating func sum(at time: UInt64) -> LogLinearHistogram {
        turn(time)
        return parts.reduce(into: LogLinearHistogram()) { $0.add($1) }
    }
}

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
