/// The stream of a listener's sound to an Icecast server.
public enum IcecastParameter: Int, ParameterGroup {
    case state, problem, server, listener, sent, losses, lost

    public static let container = "/icecast"
    public static let summary = "The stream of a listener's sound to an Icecast server, which passes it on to many."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .state:
            .choice(
                "Icecast state", ConnectionState.names,
                "off without --icecast; connecting; connected; waiting for the next attempt, for up to a minute.",
                access: .read, role: .icecastState)
        case .problem:
            .text(
                "Icecast problem", "Reason why the server does not receive the sound, and what to do; empty while it does.", access: .read,
                role: .icecastProblem)
        case .server:
            .text("Icecast server", "Address of the mount point; empty without --icecast.", access: .read, role: .icecastServer)
        case .listener:
            .counter("Icecast listener", "Number of the listener whose sound is sent; 0 without --icecast.", role: .icecastListener)
        case .sent: .counter("Sent sound", "Length of sound sent since the start.", role: .icecastSent)
        case .losses: .counter("Icecast losses", "Times that a connection was lost, since the start.", role: .icecastLosses)
        case .lost:
            .counter(
                "Lost sound", "Sound lost since the start because the machine or the network was too slow.",
                role: .icecastLost)
        }
    }
}
