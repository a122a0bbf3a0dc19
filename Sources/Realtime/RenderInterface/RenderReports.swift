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

/// Levels and weights of one listener, gathered since the last frame that was delivered.
public struct ListenerFrame: BitwiseCopyable, Sendable {
    /// Number of microphones with weights.
    public var count: Int32 = 0
    public var frames: Int32 = 0
    public var pose = HeadPose.ahead
    /// Latency of the interpolation method, samples.
    public var latency: Int32 = 0
    /// Current frequency between the two bands of the method, Hz; 0 for a method with one band.
    public var crossover: Float = 0
    /// Largest absolute values, left and right.
    public var peak = SIMD2<Float>.zero
    /// Sums of squares, left and right; divided by `frames` they are mean squares.
    public var energy = SIMD2<Float>.zero
    /// Largest gain reduction of the protecting limiter, decibels.
    public var reduction: Float = 0
    /// Weights of the low band: left ear's from index 0, right ear's from index 64.
    public var low: InlineArray<128, Float> = .init(repeating: 0)
    /// Weights of the high band, in the same order.
    public var high: InlineArray<128, Float> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}
}

/// Levels of the microphones, gathered since the last frame that was delivered.
public struct MicrophoneFrame: BitwiseCopyable, Sendable {
    /// Number of microphones.
    public var count: Int32 = 0
    public var frames: Int32 = 0
    /// Largest absolute values.
    public var peak: InlineArray<64, Float> = .init(repeating: 0)
    /// Sums of squares; divided by `frames` they are mean squares.
    public var energy: InlineArray<64, Float> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}
}

/// Times of one pose on its way to sound, all in CLOCK_MONOTONIC nanoseconds.
public struct LatencyStamp: BitwiseCopyable, Sendable {
    public var listener: Int32
    public var senderTime: UInt64
    public var receiveTime: UInt64
    /// Nanoseconds since the previous pose; 0 when unknown.
    public var interval: UInt32
    /// Start of rendering of the first block that used the pose.
    public var blockTime: UInt64
    /// End of rendering of that block.
    public var renderedTime: UInt64
    /// The engine's sample count at that block's first frame.
    public var sample: Int64
    /// Time at which that frame leaves the converter, as reported by the device.
    public var outputTime: UInt64

    @_noLocks @_noAllocation
    public init(
        listener: Int32, senderTime: UInt64, receiveTime: UInt64, interval: UInt32 = 0,
        blockTime: UInt64, renderedTime: UInt64, sample: Int64, outputTime: UInt64
    ) {
        self.listener = listener
        self.senderTime = senderTime
        self.receiveTime = receiveTime
        self.interval = interval
        self.blockTime = blockTime
        self.renderedTime = renderedTime
        self.sample = sample
        self.outputTime = outputTime
    }
}

/// Histogram of durations between powers of two of nanoseconds, cheap enough for the audio thread.
public struct DurationCounts: BitwiseCopyable, Sendable {
    /// Number of buckets. Bucket i counts durations below 2^(14 + i) ns (16 microseconds to 34 ms), the last one all longer ones.
    public static var buckets: Int { @_noLocks @_noAllocation get { 13 } }

    public private(set) var counts: InlineArray<13, Int64> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}

    /// - Parameter nanoseconds: a duration; a negative one counts as 0.
    @_noLocks @_noAllocation
    public mutating func note(_ nanoseconds: Int64) {
        let bits = 64 &- (nanoseconds > 0 ? nanoseconds : 0).leadingZeroBitCount
        let bucket = bits > 14 ? bits &- 14 : 0
        let place = bucket < 13 ? bucket : 12
        counts[place] = counts[place] &+ 1
    }

    /// Upper bounds in seconds of all buckets but the last.
    public static var bounds: [Double] { (0..<12).map { Double(1 << (14 + $0)) / 1e9 } }
}
