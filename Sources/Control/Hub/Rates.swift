/// A limit on messages per second: the budget grows with time, and each message spends some of it.
public struct MessageBudget: Sendable {
    private let rate: Double
    private var left: Double
    /// CLOCK_MONOTONIC nanoseconds.
    private var last: UInt64

    /// - Parameter rate: messages per second; a burst may have twice as many.
    public init(rate: Int, now: UInt64) {
        self.rate = Double(rate)
        left = 2 * self.rate
        last = now
    }

    /// - Returns: false when the budget is used up; the message is to be dropped.
    public mutating func spend(_ cost: Int, now: UInt64) -> Bool {
        left = min(2 * rate, left + rate * Double(now &- last) / 1e9)
        last = now
        guard left >= Double(cost) else { return false }
        left -= Double(cost)
        return true
    }
}

/// Frames sent per second, measured about once a second.
public struct FrameRate {
    public private(set) var value = 0.0
    private var count = 0
    /// CLOCK_MONOTONIC nanoseconds.
    private var time: UInt64

    public init(now: UInt64) { time = now }

    /// Call about once a second.
    /// - Parameter count: frames since the start.
    public mutating func note(_ count: Int, now: UInt64) {
        let passed = Double(now - time) / 1e9
        guard passed > 0.1 else { return }
        value = (Double(count - self.count) / passed * 10).rounded() / 10
        (self.count, time) = (count, now)
    }
}
