/// Reason why a link has ended.
public enum RelayEnd: String, Sendable {
    /// The receiver no longer wants it.
    case left
    /// The sender refused, or stopped it.
    case denied, stopped
    /// The offer ended, or the sender went away.
    case ended
}
