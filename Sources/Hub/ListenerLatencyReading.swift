public import Parameters

/// What one listener's latencies were when they were published last.
public struct ListenerLatencyReading: Sendable, Equatable {
    /// p50, p95, p99, max in milliseconds, of every stage.
    public var stages: [ListenerLatency: [Float]] = [:]
    /// Poses between the bounds of ``ListenerLatency/bounds``, the last beyond.
    public var histogram: [Float] = []
    /// Poses received, since the start, and per second lately.
    public var received = 0
    public var rate: Float = 0
    /// Milliseconds.
    public var jitter: Float = 0
    /// Since the start.
    public var lost = 0
    public var unused = 0

    public init() {}
}
