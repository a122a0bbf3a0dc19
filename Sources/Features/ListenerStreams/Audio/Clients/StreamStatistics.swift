public import Streaming

/// State of one client's stream, as both ends have measured it.
public struct StreamStatistics: Sendable {
    public let encoding: StreamEncoding
    /// Bits per second of all sound.
    public let bitrate: Int
    /// Milliseconds; 0 before the first measurement.
    public let roundTrip: Double
    /// Milliseconds per burst of round trips.
    public let slope: Double
    /// Packets that were left out because the network accepted no more.
    public let overflow: Int
    /// Changes of the strategy.
    public let changes: Int
    public let report: ReceiverReport
}
