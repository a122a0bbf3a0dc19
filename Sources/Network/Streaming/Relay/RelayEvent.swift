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
