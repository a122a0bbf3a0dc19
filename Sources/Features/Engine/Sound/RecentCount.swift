/// Number of events in the last seconds.
struct RecentCount {
    private let window: UInt64
    private var events: [(time: UInt64, count: Int)] = []

    init(seconds: Int) { window = UInt64(seconds) * 1_000_000_000 }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    mutating func add(_ count: Int, now: UInt64) {
        events.removeAll { now - $0.time > window }
        if count > 0 { events.append((now, count)) }
    }

    var sum: Int { events.reduce(0) { $0 + $1.count } }
}
