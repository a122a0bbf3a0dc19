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
