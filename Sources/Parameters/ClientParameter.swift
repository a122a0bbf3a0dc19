/// Who is connected. The list itself is telemetry, of the topic `clients`.
public enum ClientParameter: Int, ParameterGroup {
    case connected, kick

    public static let container = "/client"
    public static let summary = "Who is connected, and the door."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .connected: .counter("Connected", "WebSockets and OSC subscriptions that are open.")
        case .kick:
            .init(
                title: "Kick", summary: "Ends the connection with this number of the clients topic.", kind: .integer,
                range: 1...16_777_216, initial: .number(1), access: .write, role: .kick)
        }
    }
}
