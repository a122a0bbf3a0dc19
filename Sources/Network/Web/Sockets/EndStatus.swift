/// Reason why this server ends a WebSocket; raw values are the statuses that the client receives (RFC 6455, 7.4.2: 4000 and
/// above are free).
package enum EndStatus: UInt32 {
    /// The paired client was revoked or has another role now; it has to log in again.
    case revoked = 4001
    /// An operator ended the connection.
    case kicked = 4002
    /// The first message has not arrived in time (RFC 6455: against the policy).
    case silent = 1008
    /// There is no listener for the client after all (RFC 6455: try again later).
    case full = 1013

    /// The reason in words, where the status does not express it.
    var reason: String { self == .silent ? "no hello within 5 s" : "" }
}
