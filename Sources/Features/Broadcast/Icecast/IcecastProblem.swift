internal import CStreams
internal import Glibc

/// Words for the reasons why a stream does not reach its server, each with the remedy.
enum IcecastProblem {
    static let noSound = "the listener has no sound at present: check the sound device"

    /// The end of an attempt to connect.
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

    /// The end of a connection.
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
