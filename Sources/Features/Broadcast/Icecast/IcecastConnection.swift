internal import CStreams

/// A connection to an Icecast server, from the attempt to its end.
// SAFETY: one thread opens and sends; `cancel()`, which any thread may call, sets a flag that the library reads.
final class IcecastConnection: @unchecked Sendable {
    struct Failure: Error {
        let kind: icecast_failure
        /// The library's words, a clause.
        let words: String
    }

    /// Seconds until the server has to have answered, and for which it may take nothing.
    private static let patience: Int32 = 10

    private let connection: OpaquePointer

    /// - Returns: nil without memory.
    init?() {
        guard let connection = icecast_new() else { return nil }
        self.connection = connection
    }

    deinit { icecast_free(connection) }

    /// Connects, and waits until the server takes the stream.
    func open(_ settings: IcecastSettings) throws(Failure) {
        let address = settings.server.address(password: settings.password)
        let headers = "Ice-Name: \(settings.name)\r\nIce-Public: 0\r\nIce-Bitrate: \(settings.bitrate)\r\n"
        var problem = icecast_problem()
        guard icecast_open(connection, address, settings.authorities, headers, Self.patience, &problem) else { throw Self.failure(problem) }
    }

    func send(_ bytes: [UInt8]) throws(Failure) {
        var problem = icecast_problem()
        guard icecast_send(connection, bytes, bytes.count, Self.patience, &problem) else { throw Self.failure(problem) }
    }

    /// Makes the current call and later ones fail soon.
    func cancel() { icecast_cancel(connection) }

    private static func failure(_ problem: icecast_problem) -> Failure {
        let words = withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return Failure(kind: problem.failure, words: words)
    }
}
