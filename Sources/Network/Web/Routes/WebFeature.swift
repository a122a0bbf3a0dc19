/// A part of the server that owns its endpoints.
package protocol WebFeature: MetricsSection {
    var routes: [Route] { get }
    /// Takes the results of other threads; called after they have woken the loop.
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

/// Answers requests later: when their body has arrived, or when the requested content exists. Identifies each request by its connection.
package protocol LaterAnswers: AnyObject {
    /// Takes a piece of the body.
    /// - Returns: false when the connection has to end.
    func receive(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Bool
    /// Called when the body is complete.
    /// - Returns: the answer; nil when it follows.
    func finish(_ connection: Connection) -> Response?
    /// Removes and returns the answer, if it may be sent now. Called when the connection is writable, after the part has asked for that.
    func take(_ connection: Connection) -> Response?
    /// Called when the connection is closed, or the request gets another answer.
    func remove(_ connection: Connection)
}

extension LaterAnswers {
    package func receive(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Bool { true }
    package func finish(_ connection: Connection) -> Response? { nil }
    package func take(_ connection: Connection) -> Response? { nil }
}
