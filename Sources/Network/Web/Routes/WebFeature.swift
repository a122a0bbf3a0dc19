/// A part of the server that owns its endpoints.
package protocol WebFeature: MetricsSection {
    var routes: [Route] { get }
    /// Takes what other threads have done; called after they have woken the loop.
    func settle()
    /// Called about once a second.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func check(now: UInt64)
}

extension WebFeature {
    package func settle() {}
    package func check(now: UInt64) {}
    package func addMetrics(_ text: inout MetricsText) {}
}

/// A part of the program with figures for `/metrics`.
package protocol MetricsSection {
    func addMetrics(_ text: inout MetricsText)
}

/// Answers requests later than at once: when their body has come, or when what they ask for exists. Knows each by its connection.
package protocol LaterAnswers: AnyObject {
    /// Takes a piece of the body.
    /// - Returns: false when the connection has to end.
    func receive(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Bool
    /// The body is complete.
    /// - Returns: the answer; nil when it follows.
    func finish(_ connection: Connection) -> Response?
    /// The answer that may be sent now, after the part has asked the library to report that the connection is writable.
    func take(_ connection: Connection) -> Response?
    /// The connection is closed, or the request has another answer.
    func remove(_ connection: Connection)
}

extension LaterAnswers {
    package func receive(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Bool { true }
    package func finish(_ connection: Connection) -> Response? { nil }
    package func take(_ connection: Connection) -> Response? { nil }
}
