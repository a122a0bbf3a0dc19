/// State of a connection that the engine keeps to a server.
public enum ConnectionState: String, NamedChoice {
    case off, connecting, connected
    /// For the next attempt.
    case waiting
}
