public import Hub
public import RenderInterface

/// The sources that topics and metrics read from.
public final class TelemetrySources {
    /// All motion-to-sound latencies since the start.
    public var histogram: () -> DurationHistogram = { DurationHistogram(bounds: []) }
    /// Latency of each listener, stage by stage.
    public var latencies: () -> [ListenerLatencyReading] = { [] }
    /// Counts of the renderer now.
    public var engine: () -> EngineFrame = { EngineFrame() }
    /// The connected clients.
    var clients: () -> [ClientReading] = { [] }
    /// The newest pose of each listener.
    let poses = NewestPoses()
    /// The last lines of the log.
    let log = LogTail()
    let hub: Hub

    init(hub: Hub) { self.hub = hub }
}
