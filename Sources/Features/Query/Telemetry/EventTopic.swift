/// A topic that is sent whenever the renderer has reported something new.
protocol EventTopic: TelemetryTopic {}

extension EventTopic {
    var isState: Bool { false }
    func snapshot(for group: TelemetryGroup) -> (any TelemetryContent)? { nil }
    func next(for group: TelemetryGroup, now: UInt64) -> (any TelemetryContent)? { group.gathered }
}
