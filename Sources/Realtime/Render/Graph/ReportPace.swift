/// Decides when levels are sent: 120 times a second, the highest rate that clients may ask for, or with every block when these are
/// longer.
struct ReportPace: BitwiseCopyable, Sendable {
    private let interval: Int
    private var remaining = 0

    /// - Parameter rate: frames per second.
    init(rate: Float) { interval = Int(clamping: rate / 120) }

    /// Counts rendered frames; returns whether levels are to be sent with them.
    @_noLocks @_noAllocation
    mutating func isDue(after frames: Int) -> Bool {
        remaining = remaining &- frames
        guard remaining <= 0 else { return false }
        remaining = max(remaining &+ interval, 0)
        return true
    }
}
