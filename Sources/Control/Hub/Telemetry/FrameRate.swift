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
