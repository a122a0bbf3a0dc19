/// What is known of one client that is connected.
public struct ClientReading: Equatable, Encodable, Sendable {
    /// Rises with every client of this run.
    public var id: Int
    /// query, audio, telemetry or osc.
    public var kind: String
    public var address: String
    /// Of the paired device that it belongs to.
    public var device: String?
    /// Whole seconds since it connected.
    public var seconds: Int
    /// Frames that were written, and frames that were left out because it was slow.
    public var sent: Int
    public var dropped: Int
    /// Frames a second, over the last second.
    public var rate: Double
    /// Milliseconds from a ping to its pong; nil before the first, and where there are none.
    public var roundTrip: Double?

    public init(
        id: Int, kind: String, address: String, device: String? = nil, seconds: Int, sent: Int, dropped: Int,
        rate: Double, roundTrip: Double? = nil
    ) {
        self.id = id
        self.kind = kind
        self.address = address
        self.device = device
        self.seconds = seconds
        self.sent = sent
        self.dropped = dropped
        self.rate = rate
        self.roundTrip = roundTrip
    }
}
