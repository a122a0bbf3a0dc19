/// State of a connection that the engine keeps to a server.
public enum ConnectionState: String, NamedChoice {
    case off, connecting, connected
    /// Waiting for the next attempt to connect.
    case waiting
}
