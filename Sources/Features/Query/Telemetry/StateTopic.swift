/// A topic that is sent at once, and then whenever it has changed.
protocol StateTopic: TelemetryTopic {
    associatedtype State: TelemetryContent
    /// nil when the state is unknown.
    var state: State? { get }
}

extension StateTopic {
    var isState: Bool { true }

    func snapshot(for group: TelemetryGroup) -> (any TelemetryContent)? {
        let state = state
        if group.last == nil { group.last = state }
        return state
    }

    func next(for group: TelemetryGroup, now: UInt64) -> (any TelemetryContent)? {
        guard let state, !state.isEqual(to: group.last) else { return nil }
        group.last = state
        return state
    }
}
