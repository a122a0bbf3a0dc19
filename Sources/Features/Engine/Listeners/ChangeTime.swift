/// Time of the latest change, set when it is reported and read when it is sent.
final class ChangeTime {
    /// CLOCK_MONOTONIC.
    var nanoseconds: UInt64 = 0
}
