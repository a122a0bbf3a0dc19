/// A head pose on its way to a listener.
public struct HeadPose: BitwiseCopyable, Sendable, Equatable {
    /// Which thread brought it.
    public enum Origin: UInt8, BitwiseCopyable, Sendable { case network, control }

    /// Unit quaternion in the lanes w x y z, rotating head coordinates into world coordinates.
    public var quaternion: SIMD4<Float>
    /// Rises by one with every pose of the whole program; 0 is the pose nobody sent.
    public var id: UInt64
    /// When the kernel had it, CLOCK_MONOTONIC nanoseconds.
    public var receiveTime: UInt64
    /// When the sender sampled it, CLOCK_MONOTONIC nanoseconds of this machine; 0 when unknown.
    public var senderTime: UInt64
    public var origin: Origin
    /// Nanoseconds since the same tracker's pose before; 0 when there was none lately.
    public var interval: UInt32
    /// Where the head was going.
    public var course: PoseCourse

    @_noLocks @_noAllocation
    public init(
        quaternion: SIMD4<Float>, id: UInt64, receiveTime: UInt64, senderTime: UInt64 = 0, origin: Origin = .network,
        interval: UInt32 = 0, course: PoseCourse = .init()
    ) {
        self.quaternion = quaternion
        self.id = id
        self.receiveTime = receiveTime
        self.senderTime = senderTime
        self.origin = origin
        self.interval = interval
        self.course = course
    }

    /// Looking straight ahead, sent by nobody.
    public static var ahead: HeadPose {
        @_noLocks @_noAllocation get { HeadPose(quaternion: .init(1, 0, 0, 0), id: 0, receiveTime: 0) }
    }
}

/// The way of one pose to sound, all times in CLOCK_MONOTONIC nanoseconds.
public struct LatencyStamp: BitwiseCopyable, Sendable {
    public var pose: UInt64
    public var listener: Int32
    public var senderTime: UInt64
    public var receiveTime: UInt64
    /// Nanoseconds since the pose before; 0 when unknown.
    public var interval: UInt32
    /// When the block that first used the pose began to be rendered, and when that was done.
    public var blockTime: UInt64
    public var renderedTime: UInt64
    /// The engine's sample count at that block's first frame.
    public var sample: Int64
    /// When that frame leaves the converter, as the device says.
    public var outputTime: UInt64

    @_noLocks @_noAllocation
    public init(
        pose: UInt64, listener: Int32, senderTime: UInt64, receiveTime: UInt64, interval: UInt32 = 0,
        blockTime: UInt64, renderedTime: UInt64, sample: Int64, outputTime: UInt64
    ) {
        self.pose = pose
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

/// Levels of the microphones, gathered since the last frame that got through.
public struct MicrophoneFrame: BitwiseCopyable, Sendable {
    public var count: Int32 = 0
    public var frames: Int32 = 0
    public var peak: InlineArray<64, Float> = .init(repeating: 0)
    /// Sums of squares; divided by `frames` they are mean squares.
    public var energy: InlineArray<64, Float> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}
}

/// What one listener heard since the last frame that got through, and with which weights.
public struct ListenerFrame: BitwiseCopyable, Sendable {
    public var count: Int32 = 0
    public var frames: Int32 = 0
    public var pose = HeadPose.ahead
    /// What the method adds to the time sound takes, samples.
    public var latency: Int32 = 0
    /// Between the two bands of the method, hertz, where it is now; 0 for a method that has one band.
    public var crossover: Float = 0
    /// Left, right.
    public var peak = SIMD2<Float>.zero
    public var energy = SIMD2<Float>.zero
    /// Left ear's weights from index 0, the right ear's from index 64.
    public var low: InlineArray<128, Float> = .init(repeating: 0)
    public var high: InlineArray<128, Float> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}
}

/// How the engine is doing; counters rise from the start.
public struct EngineFrame: BitwiseCopyable, Sendable {
    public var blocks: Int64 = 0
    public var samples: Int64 = 0
    public var xruns: Int64 = 0
    public var dropouts: Int64 = 0
    /// Nanoseconds spent rendering, all blocks together.
    public var busy: Int64 = 0
    /// How long the blocks took, counted from the start.
    public var durations = DurationCounts()
    /// Nanoseconds of the slowest block since the start of the present report window.
    public var worst: Int64 = 0
    /// The feed being heard, and how many of its frames have been used.
    public var feed: Int64 = 0
    public var feedFrames: Int64 = 0
    /// The feed has been played to its end.
    public var feedEnded = false

    @_noLocks @_noAllocation
    public init() {}
}
