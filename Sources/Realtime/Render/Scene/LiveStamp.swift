/// A frame of a live array, counted from the feed's first, and the time at which it was at the converter.
public struct LiveStamp: BitwiseCopyable, Sendable {
    public var frame: Int64
    /// CLOCK_MONOTONIC nanoseconds; 0 before the first.
    public var time: UInt64

    @_noLocks @_noAllocation
    public init(frame: Int64, time: UInt64) {
        self.frame = frame
        self.time = time
    }
}
