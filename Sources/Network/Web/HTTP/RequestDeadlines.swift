internal import CRealtime

/// Time limits on connections: for the whole of the next request, from its first byte or the end of the answer before it, and
/// between two pieces of an answer. WebSockets have none.
///
/// The library's own limits restart with every piece of a header or body.
package final class RequestDeadlines {
    /// Longest time in seconds in which a client takes no piece of an answer.
    private static let answerSeconds = 30
    private let requestSeconds: Int
    /// CLOCK_MONOTONIC nanoseconds.
    private var ends: [Connection: UInt64] = [:]

    /// - Parameter requestSeconds: for a whole request, body included.
    init(requestSeconds: Int) { self.requestSeconds = requestSeconds }

    /// Starts the limit for the next request.
    func awaitRequest(_ connection: Connection) { set(connection, requestSeconds) }

    /// Starts the limit for the next piece of an answer.
    package func noteProgress(_ connection: Connection) { set(connection, Self.answerSeconds) }

    private func set(_ connection: Connection, _ seconds: Int) { ends[connection] = rt_now() + UInt64(seconds) * 1_000_000_000 }

    /// Removes the limit, when the connection has become a WebSocket or is closed.
    func remove(_ connection: Connection) { ends[connection] = nil }

    /// Closes the connections whose time is over; called about once a second.
    ///
    /// A piece of a body that arrives in the same turn of the loop puts the library's own limit in the place of this one, so that each
    /// stays in the table until it is closed.
    func check(now: UInt64) {
        for (connection, end) in ends where end <= now { connection.close() }
    }
}
