public import Parameters

/// One listener's latencies as published last.
public struct ListenerLatencyReading: Sendable, Equatable {
    /// 50th, 95th and 99th percentile and maximum in milliseconds, by stage.
    public var stages: [ListenerLatency: [Float]] = [:]
    /// Number of poses between the bounds of ``ListenerLatency/bounds``, the last one above them.
    public var histogram: [Float] = []
    /// Poses received since the start, and currently per second.
    public var received = 0
    public var rate: Float = 0
    /// Milliseconds.
    public var jitter: Float = 0
    /// Poses lost on the network, and poses received but not rendered, since the start.
    public var lost = 0
    public var unused = 0

    public init() {}
}
