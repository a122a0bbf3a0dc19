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
