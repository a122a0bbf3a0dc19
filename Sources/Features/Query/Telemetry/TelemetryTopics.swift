/// The topics of `vestibule.telemetry.v1`.
package enum TelemetryTopics {
    /// Makes a topic that reads from these sources.
    package typealias Maker = @Sendable (TelemetrySources) -> any TelemetryTopic

    /// Maximum number of topics: a client has a place and a bit for each.
    static let most = 16

    /// Every topic, in the order of the first message to a client.
    static let all: [Maker] = [
        { MetersTopic($0) },
        { EngineTopic($0) },
        { LatencyTopic($0) },
        { PosesTopic($0) },
        { TrackersTopic($0) },
        { TransportTopic($0) },
        { ClientsTopic($0) },
        { LogTopic($0) },
        { StreamsTopic($0) },
    ]
}
