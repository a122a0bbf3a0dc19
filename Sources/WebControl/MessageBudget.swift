/// A share of the server's time: fills up with time, empties with messages.
struct MessageBudget {
    private let rate: Double
    private var left: Double
    /// CLOCK_MONOTONIC nanoseconds.
    private var last: UInt64

    /// - Parameter rate: messages a second; twice as many may come at once.
    init(rate: Int, now: UInt64) {
        self.rate = Double(rate)
        left = 2 * self.rate
        last = now
    }

    /// - Returns: false when the budget is used up; the message is not to be looked at.
    mutating func take(_ cost: Int, now: UInt64) -> Bool {
        left = min(2 * rate, left + rate * Double(now &- last) / 1e9)
        last = now
        guard left >= Double(cost) else { return false }
        left -= Double(cost)
        return true
    }
}
