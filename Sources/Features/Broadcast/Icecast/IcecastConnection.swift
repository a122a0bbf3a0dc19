internal import CStreams
internal import Glibc

/// A connection to an Icecast server, from the attempt to its end.
// SAFETY: one thread opens and sends; `cancel()`, which any thread may call, sets a flag that the library reads.
final class IcecastConnection: @unchecked Sendable {
    struct Failure: Error {
        let kind: icecast_failure
        /// Description by the library, a clause.
        let words: String
    }

    /// Seconds within which the server has to answer, and for which it may accept no bytes.
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

/// Words for the reasons why a stream does not reach its server, each with the remedy.
enum IcecastProblem {
    static let noSound = "the listener has no sound at present: check the sound device"

    /// Reason for the end of an attempt to connect.
    static func refused(_ failure: IcecastConnection.Failure, _ server: IcecastServer) -> String {
        let (host, port) = (server.host, server.port)
        switch failure.kind {
        case ICECAST_UNAUTHORIZED:
            return "the server refuses the user or the password: check the user in --icecast and --icecast-password-file"
        case ICECAST_FORBIDDEN:
            return "the server refuses the stream: another source may use \(server.mount), or its limit of sources is reached"
        case ICECAST_NO_SOURCES:
            return "the server accepts no sound at \(server.mount): check that an Icecast server listens on port \(port) of \(host)"
        case ICECAST_MUTE:
            return "port \(port) of \(host) does not answer: check that an Icecast server listens there, and firewalls between"
                + (server.isSecure ? "" : "; use icecasts:// if it expects TLS")
        case ICECAST_LOST:
            guard isKnown(host) else { return "the host name \(host) is not known: check the address in --icecast" }
            return server.isSecure
                ? "there is no encrypted connection: the certificate may have expired, be for another name, or need its authority in "
                    + "--icecast-ca; or port \(port) does not speak TLS"
                : "port \(port) of \(host) does not answer like an Icecast server: use icecasts:// if it expects TLS"
        default: return "the server cannot be reached (\(failure.words)): check that it runs, and the address in --icecast"
        }
    }

    /// Reason for the end of a connection.
    static func lost(_ failure: IcecastConnection.Failure) -> String {
        switch failure.kind {
        case ICECAST_MUTE: "the server has accepted no sound for a few seconds: its network is too slow, or it hangs"
        case ICECAST_LOST: "the connection to the server was lost"
        default: "the connection to the server failed: \(failure.words)"
        }
    }

    /// Whether a host name has an address; the library does not report it.
    private static func isKnown(_ host: String) -> Bool {
        guard !host.hasPrefix("[") else { return true }
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if let found { freeaddrinfo(found) } }
        return getaddrinfo(host, nil, nil, &found) == 0
    }
}
