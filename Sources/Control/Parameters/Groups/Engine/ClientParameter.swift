/// Connected clients. The list itself is telemetry, in the topic `clients`.
public enum ClientParameter: Int, ParameterGroup {
    case connected, kick

    public static let container = "/client"
    public static let summary = "Connected clients, and a command to disconnect one."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .connected: .counter("Connected", "Number of open WebSockets and OSC subscriptions.")
        case .kick:
            .init(
                title: "Disconnect client",
                summary: "Closes the connection that has this number in the telemetry topic clients.", kind: .integer,
                range: 1...16_777_216, initial: .number(1), access: .write, role: .kick)
        }
    }
}
