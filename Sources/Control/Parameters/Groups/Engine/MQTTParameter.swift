/// The connection to an MQTT broker.
public enum MQTTParameter: Int, ParameterGroup {
    case state, problem, broker, published, received, refused, dropped, losses

    public static let container = "/mqtt"
    public static let summary = "The connection to an MQTT broker, which shares state and commands with other programs."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .state:
            .choice(
                "Broker state", ConnectionState.names,
                "off without --mqtt; connecting; connected; waiting for the next attempt, for up to a minute.",
                access: .read, role: .mqttState)
        case .problem:
            .text(
                "Broker problem", "Reason why there is no connection to the broker, and what to do; empty while connected.", access: .read,
                role: .mqttProblem)
        case .broker: .text("Broker", "Address of the broker; empty without --mqtt.", access: .read, role: .mqttBroker)
        case .published: .counter("Published", "Number of messages sent to the broker, since the start.", role: .mqttPublished)
        case .received: .counter("Commands", "Number of commands received from the broker, since the start.", role: .mqttReceived)
        case .refused: .counter("Refused commands", "Number of commands refused with a reason, since the start.", role: .mqttRefused)
        case .dropped:
            .counter("Dropped commands", "Number of commands ignored because there were too many, since the start.", role: .mqttDropped)
        case .losses: .counter("Broker losses", "Times that a connection was lost, since the start.", role: .mqttLosses)
        }
    }
}

/// State of a connection that the engine keeps to a server.
public enum ConnectionState: String, NamedChoice {
    case off, connecting, connected
    /// Waiting for the next attempt to connect.
    case waiting
}
