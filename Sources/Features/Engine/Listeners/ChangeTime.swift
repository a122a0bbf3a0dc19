/// Time at which the first of the latest pending changes was made.
final class ChangeTime {
    /// CLOCK_MONOTONIC.
    var nanoseconds: UInt64 = 0
}
