/// Measurements of one link.
public struct RelayReading: Sendable, Equatable, Encodable {
    public let link: Int
    public let sender: Int
    public let receiver: Int
    public let isOpen: Bool
    /// Bits per second.
    public let bitrate: Int
    /// Pixels of the sender's latest picture; 0 before one.
    public let width: Int
    public let height: Int
    /// Frames that were sent, left out, and shown too late.
    public let frames: Int
    public let skipped: Int
    public let late: Int
    /// Frames that wait in the relay and on the network.
    public let waiting: Int
    /// Milliseconds from the relay to the receipt of the receiver, and their growth per frame.
    public let trip: Double
    public let slope: Double
    /// Step of the ladder that the link needs.
    public let step: Int
}
