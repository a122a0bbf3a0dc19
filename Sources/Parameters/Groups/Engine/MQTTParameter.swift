/// The connection to an MQTT broker.
public enum MQTTParameter: Int, ParameterGroup {
    case state, problem, broker, published, received, refused, dropped, losses

    public static let container = "/mqtt"
    public static let summary = "The connection to an MQTT broker, which shares state and commands with other programs."
    public static var topic: Topic? { .engine }

    /// States of the connection.
    public enum State: String, CaseIterable, Sendable {
        case off, connecting, connected, waiting

        /// The parameter's value.
        public var number: Float { Float(Self.allCases.firstIndex(of: self) ?? 0) }
    }

    public var spec: ParameterSpec {
        switch self {
        case .state:
            .choice(
                "Broker state", State.allCases.map(\.rawValue),
                "off without --mqtt; connecting; connected; waiting for the next attempt, for up to a minute.",
                access: .read, role: .mqttState)
        case .problem:
            .text(
                "Broker problem", "Why the broker does not serve this engine, and how to help; empty while it does.", access: .read,
                role: .mqttProblem)
        case .broker: .text("Broker", "Its address; empty without --mqtt.", access: .read, role: .mqttBroker)
        case .published: .counter("Published", "Messages handed over to the broker's connection, since the start.", role: .mqttPublished)
        case .received: .counter("Commands", "Number received from the broker since the start.", role: .mqttReceived)
        case .refused: .counter("Refused commands", "Number answered with a reason, since the start.", role: .mqttRefused)
        case .dropped:
            .counter("Dropped commands", "Number ignored because too many came, since the start.", role: .mqttDropped)
        case .losses: .counter("Broker losses", "Times that a connection was lost, since the start.", role: .mqttLosses)
        }
    }
}
