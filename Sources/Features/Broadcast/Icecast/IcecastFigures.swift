internal import Parameters

/// State of the stream to an Icecast server.
struct IcecastFigures: Sendable, Equatable {
    var state = ConnectionState.off
    /// Reason why there is no connection, a clause; empty while there is one.
    var problem = ""
    /// Bytes and frames of sound that were sent since the start.
    var (bytes, frames) = (0, 0)
    /// Connections that were lost since the start.
    var losses = 0
    /// Frames that were lost because the machine or the network was too slow.
    var lost = 0
}
