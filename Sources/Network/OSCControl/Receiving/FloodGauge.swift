/// Detects message rates at which handling messages in batches is cheaper than one by one.
struct FloodGauge {
    /// Length of the counting window in nanoseconds.
    private static let window: UInt64 = 1_000_000
    /// Messages per window above which the rate is a flood: 32,000 per second.
    private static let threshold = 32

    private var windowStart: UInt64 = 0
    private var count = 0
    private(set) var isFlood = false

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    mutating func note(_ messages: Int, now: UInt64) {
        if now - windowStart > Self.window {
            // A window that spans a pause does not show the rate.
            isFlood = count > Self.threshold && now - windowStart < 2 * Self.window
            (windowStart, count) = (now, 0)
        }
        count += messages
    }
}
