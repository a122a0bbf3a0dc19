/// State of the takes thread, for the control thread.
struct TakeState: Sendable {
    /// Name of the take that is being recorded; nil for none.
    var take: String?
    /// Name of the take that ended last.
    var last: String?
    /// Frames so far.
    var frames: Int64 = 0
    /// Frames of every source that are in memory.
    var kept: Int64 = 0
    /// Frames missing in the take.
    var lost: Int64 = 0
    /// Seconds for which the disk has room; nil when that is unknown.
    var remaining: Double?
    /// Reason why the last take ended early; empty for no problem.
    var problem = ""
    /// Incremented with every change of the list of takes.
    var changes = 0
    /// Messages for the log.
    var notices: [String] = []
}
