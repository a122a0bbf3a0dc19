/// State of a connection, judged by its measurements.
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
