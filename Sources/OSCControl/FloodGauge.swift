/// Whether messages come so fast that it is cheaper to take many at once than each as it comes.
struct FloodGauge {
    /// Nanoseconds that are counted together.
    private static let window: UInt64 = 1_000_000
    /// Messages in a window that make a flood: 32,000 a second.
    private static let most = 32

    private var began: UInt64 = 0
    private var count = 0
    private(set) var isFlood = false

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    mutating func note(_ messages: Int, now: UInt64) {
        if now - began > Self.window {
            // A window after a silence says nothing about what was before it.
            isFlood = count > Self.most && now - began < 2 * Self.window
            (began, count) = (now, 0)
        }
        count += messages
    }
}
