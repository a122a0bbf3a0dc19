/// Place of the renderer in a live array.
public struct LiveReading: BitwiseCopyable, Sendable {
    /// Frames used so far.
    public var frame: Int64
    /// CLOCK_MONOTONIC nanoseconds at which they had been used; 0 before the first.
    public var time: UInt64
    /// Frames to keep in the ring beyond those that are needed, as a reserve against late threads.
    public var reserve: Int

    @_noLocks @_noAllocation
    public init(frame: Int64, time: UInt64, reserve: Int) {
        self.frame = frame
        self.time = time
        self.reserve = reserve
    }
}
