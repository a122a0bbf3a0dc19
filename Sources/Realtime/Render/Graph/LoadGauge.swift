internal import Crossing
internal import RenderInterface

/// Time used for rendering: total, distribution, and the slowest block of the last one to two windows.
struct LoadGauge: BitwiseCopyable, Sendable {
    /// Length of a window, nanoseconds.
    static var window: UInt64 { @_noLocks @_noAllocation get { 500_000_000 } }

    private(set) var busy: Int64 = 0
    private(set) var durations = DurationCounts()
    private var worst: Int64 = 0
    private var worstBefore: Int64 = 0
    private var windowEnd: UInt64 = 0

    /// Notes a block that was rendered from `begin` to `end`, nanoseconds.
    @_noLocks @_noAllocation
    mutating func note(begin: UInt64, end: UInt64) {
        let spent = Int64(truncatingIfNeeded: end &- begin)
        busy &+= spent
        durations.note(spent)
        if end > windowEnd {
            worstBefore = worst
            worst = 0
            windowEnd = end &+ Self.window
        }
        worst = max(worst, spent)
    }

    var slowest: Int64 { @_noLocks @_noAllocation get { max(worst, worstBefore) } }
}
