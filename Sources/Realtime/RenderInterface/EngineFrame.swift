/// State of the renderer after a block. Counters count from the start of the program.
public struct EngineFrame: BitwiseCopyable, Sendable {
    public var blocks: Int64 = 0
    public var samples: Int64 = 0
    public var xruns: Int64 = 0
    public var dropouts: Int64 = 0
    /// Samples of live input that were out of range and have been limited.
    public var limited: Int64 = 0
    /// Nanoseconds spent rendering, summed over all blocks.
    public var busy: Int64 = 0
    /// Histogram of the blocks' render times.
    public var durations = DurationCounts()
    /// Nanoseconds of the slowest block in the current report window.
    public var worst: Int64 = 0
    /// Number of the feed that is playing.
    public var feed: Int64 = 0
    /// Frames of that feed that have been used.
    public var feedFrames: Int64 = 0
    /// Time at which the frame after the block leaves the converter, CLOCK_MONOTONIC nanoseconds; 0 without a converter.
    public var outputTime: UInt64 = 0
    /// Latency from the recording converter to the playing one, nanoseconds; 0 without a live input.
    public var inputLatency: Int64 = 0
    /// Latency from the converter of a live array to the playing one, nanoseconds; 0 without one.
    public var arrayLatency: Int64 = 0
    /// Whether the feed has been played to its end.
    public var feedEnded = false

    @_noLocks @_noAllocation
    public init() {}
}
