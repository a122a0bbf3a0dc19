/// Why this server ends a WebSocket; raw values are the statuses that the client sees (RFC 6455, 7.4.2: 4000 and above are free).
enum EndStatus: UInt32 {
    /// Its device is not paired any more, or with another role: to come back, one has to be let in again.
    case revoked = 4001
    /// Somebody has ended it by hand.
    case kicked = 4002
}
