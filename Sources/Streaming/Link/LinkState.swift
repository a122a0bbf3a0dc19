/// State of a connection, as its measurements tell it.
public enum LinkState: Sendable, Equatable {
    /// Nothing waits.
    case calm
    /// Round trips are long or become longer; nothing is lost yet.
    case strained
    /// Packets arrive too late.
    case late
    /// The sender had to leave packets out.
    case full
}
