/// Connection statistics of one client.
public struct ClientReading: Equatable, Encodable, Sendable {
    /// Number of the client, counted since the start.
    public var id: Int
    /// "query", "audio", "telemetry", "participant" or "osc".
    public var kind: String
    public var address: String
    /// Name of the paired client it belongs to; nil when it is not paired.
    public var name: String?
    /// Same as ``name``, under the key that was used until release 0.2.
    public let device: String?
    /// Whole seconds since it connected.
    public var seconds: Int
    /// Frames that were written, and frames that were dropped because the client was slow.
    public var sent: Int
    public var dropped: Int
    /// Frames per second, over the last second.
    public var rate: Double
    /// Milliseconds from a ping to its pong; nil before the first one and for clients that are not pinged.
    public var roundTrip: Double?

    public init(
        id: Int, kind: String, address: String, name: String? = nil, seconds: Int, sent: Int, dropped: Int,
        rate: Double, roundTrip: Double? = nil
    ) {
        self.id = id
        self.kind = kind
        self.address = address
        (self.name, device) = (name, name)
        self.seconds = seconds
        self.sent = sent
        self.dropped = dropped
        self.rate = rate
        self.roundTrip = roundTrip
    }
}
