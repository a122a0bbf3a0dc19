/// Something that is to be sent to peers.
public enum RelayEvent: Equatable, Sendable {
    /// Peers or offers have changed.
    case roster
    /// A peer asks to receive; the sender answers.
    case asked(link: Int, sender: Int, receiver: Int)
    /// Frames may pass from now on.
    case opened(link: Int, sender: Int, receiver: Int)
    /// The link has ended.
    case closed(link: Int, sender: Int, receiver: Int, RelayEnd)
    /// The sender has to send a key frame.
    case key(sender: Int)
    /// The sender's encoder has to work in this way.
    case strategy(sender: Int, VideoStrategy, RelayCodec?)
    /// Frames wait for a receiver.
    case frames(receiver: Int)
}

/// Reason why a link has ended.
public enum RelayEnd: String, Sendable {
    /// The receiver has left the link.
    case left
    /// The sender refused, or stopped it.
    case denied, stopped
    /// The offer ended, or the sender went away.
    case ended
}

/// One peer as the others see it.
public struct RosterEntry: Sendable, Equatable {
    public let peer: Int
    public let identity: String
    public let isPaired: Bool
    public let name: String
    public let offer: RelayOffer?
    /// Number of peers that receive it.
    public let receivers: Int
    /// Numbers of the peers that it receives.
    public let senders: [Int]
}

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
