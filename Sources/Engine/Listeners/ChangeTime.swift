/// Time of a change, which the one who is told of it notes for the one who asks later.
final class ChangeTime {
    /// CLOCK_MONOTONIC.
    var nanoseconds: UInt64 = 0
}
