package import Hub

/// One topic of `vestibule.telemetry.v1`: its name, when frames are sent, and the content of a frame.
///
/// A topic is a file in `Topics` and a line in ``TelemetryTopics/all``. It conforms to ``StateTopic`` or ``EventTopic``.
package protocol TelemetryTopic: AnyObject {
    /// Name on the wire.
    var name: String { get }
    /// Number in binary frames; nil for a topic that is always sent as JSON.
    var code: UInt8? { get }
    /// Highest rate in frames per second.
    var fastest: Int { get }
    /// True for a state, which is sent at once and when it changes; false for events, which are sent as they occur.
    var isState: Bool { get }

    /// Takes content out of a report of the renderer. Called for every report while any client has subscribed to anything.
    /// - Returns: nil when the report has nothing for this topic.
    func collect(_ report: TelemetryDelta) -> (any TelemetryContent)?
    /// Prepares a new group of clients.
    func begin(_ group: TelemetryGroup)
    /// The first content for a client that has just joined a group; nil when there is none.
    func snapshot(for group: TelemetryGroup) -> (any TelemetryContent)?
    /// The content of a group's next frame; nil when there is nothing to send.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func next(for group: TelemetryGroup, now: UInt64) -> (any TelemetryContent)?
    /// Called when the last client of all topics has gone.
    func end()
}

extension TelemetryTopic {
    package var code: UInt8? { nil }
    package func collect(_ report: TelemetryDelta) -> (any TelemetryContent)? { nil }
    package func begin(_ group: TelemetryGroup) {}
    package func end() {}
}

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

/// A topic that is sent whenever the renderer has reported something new.
protocol EventTopic: TelemetryTopic {}

extension EventTopic {
    var isState: Bool { false }
    func snapshot(for group: TelemetryGroup) -> (any TelemetryContent)? { nil }
    func next(for group: TelemetryGroup, now: UInt64) -> (any TelemetryContent)? { group.gathered }
}

/// Content of one frame, about the time since the frame before it.
package protocol TelemetryContent: Equatable {
    associatedtype JSON: Encodable
    /// The content as it is encoded in a JSON frame; keys are converted to snake case.
    var json: JSON { get }
    /// Writes the content to a binary frame.
    func write(to bytes: inout TelemetryWriter)
    /// The same content for a longer period: it also replaces an earlier frame that was never sent.
    func following(_ earlier: Self) -> Self
}

extension TelemetryContent {
    package func write(to bytes: inout TelemetryWriter) {}
    package func following(_ earlier: Self) -> Self { self }

    /// ``following(_:)`` for content of any topic.
    package func merged(with earlier: any TelemetryContent) -> any TelemetryContent {
        (earlier as? Self).map { following($0) } ?? self
    }

    package func isEqual(to other: (any TelemetryContent)?) -> Bool { other as? Self == self }
}
