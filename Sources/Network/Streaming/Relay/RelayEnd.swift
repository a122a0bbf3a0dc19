/// Reason why a link has ended.
public enum RelayEnd: String, Sendable {
    /// The receiver has left the link.
    case left
    /// The sender refused, or stopped it.
    case denied, stopped
    /// The offer ended, or the sender went away.
    case ended
}
