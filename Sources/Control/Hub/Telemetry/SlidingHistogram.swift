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
